"""Rows that lie in an engine you run: Dask, Ray, Spark.

Each partition is packed once into a folder that all workers reach; from then on the driver asks questions, every part
answers with exact sums, and the driver alone draws noise and writes the ledger. Retries and speculation are harmless: a
part that answers twice counts once. The policy is the one that a single process gives, byte for byte for the same seed,
but for the line of its certificate that says who held the rows.

The packed parts are as private as the table, and so are the exact sums on their way to the driver: run the engine where
the rows may be.
"""
