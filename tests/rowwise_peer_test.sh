#!/bin/sh
# Queries over Parquet files of several writers: what is said of a record must not change when other records do.
# rowwise_peer_test.sh PROGRAM BUILD_DIR; exit code 77 without DuckDB's library, or python3 with pyarrow and polars.
# TACIT_ROWWISE="TABLES QUERIES" asks for more than the 30 pairs of tables with 20 queries each.
set -eu
build=$(cd "$2" && pwd)
python=${TACIT_PYTHON:-python3}
command -v "$python" >/dev/null || { echo "no python3: skipped"; exit 77; }
"$python" -c 'import numpy, pyarrow.parquet, polars' >/dev/null 2>&1 || { echo "no pyarrow or polars: skipped"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
set -- ${TACIT_ROWWISE:-30 20}
cat >"$work/write.py" <<'PY'
import datetime, decimal, random, sys
import pyarrow as pa, pyarrow.parquet as pq, polars as pl
try:
    import fastparquet, pandas
except ImportError:
    fastparquet = None

SHARED = 6
nan, inf = float("nan"), float("inf")

def record(r, id):
    day = r.choice([datetime.date(2024, 2, 29), datetime.date(1999, 12, 31), datetime.date(2030, 1, 1), None])
    number = lambda: r.choice([nan, nan, nan, inf, -inf, -0.0, 0.0, 3.0, 6.0, 2.5, None])
    whole = lambda: r.choice([0, 1, -1, 5, 100, None])
    text = lambda: r.choice(["a", "b", "c", "ab", "", "7", None])
    m = whole()
    long = r.choice([0, 1, -1, 5, 100, 2**57, -3 * 2**60, None])
    return dict(id=id, x=number(), f=number(), i=long, j=whole(), s=text(), e=text(), b=r.choice([True, False]), d=day,
                t=day and datetime.datetime(day.year, day.month, day.day, 10), m=None if m is None else decimal.Decimal(m))

TYPES = dict(id=pa.int32(), x=pa.float64(), f=pa.float32(), i=pa.int64(), j=pa.int8(), s=pa.string(), e=pa.string(),
             b=pa.bool_(), d=pa.date32(), t=pa.timestamp("us"), m=pa.decimal128(9, 2))

OTHER_TYPES = dict(id=pa.int64(), f=pa.float64(), i=pa.float64(), j=pa.decimal128(38, 9), d=pa.timestamp("ms"), m=pa.float64())

def table(k, side):
    own = random.Random(f"{k} {side}")
    shape = random.Random(f"{k}")
    # a table in which one value or one kind of value prevails has the statistics that tempt an optimiser
    mode = shape.randrange(5)
    records = []
    for i in range(shape.choice([1, 5, 50, 700])):
        row = record(own, -1 - i)
        if mode == 0: row["x"] = nan
        if mode == 1: row["x"], row["f"] = nan if i else own.choice([3.0, 6.0]), nan
        if mode == 2: row["s"], row["i"] = own.choice([None, "a"]), None
        if mode == 3: row["x"] = 3.0 if side == "a" else 6.0
        records.append(row)
    for i in range(SHARED):
        shared = record(random.Random(f"{k} shared {i}"), i)
        if mode != 4: shared["x"] = nan
        records.insert(own.randrange(len(records) + 1), shared)
    made = pa.table({name: pa.array([row[name] for row in records], type) for name, type in TYPES.items()})
    if side == "b":
        # as a writer may that chooses types by the records: every value stays the same
        retype = random.Random(f"{k} types")
        for name, other in OTHER_TYPES.items():
            if retype.random() < 0.4:
                made = made.set_column(made.schema.get_field_index(name), name, made[name].cast(other, safe=False))
    return made, shape

def write(k, side, path):
    t, shape = table(k, side)
    writers = ["pyarrow", "polars"] + (["fastparquet"] if fastparquet else [])
    writer = writers[k % len(writers)]
    group = shape.choice([1, 7, 100000])
    if writer == "pyarrow":
        dictionary = shape.choice([True, False])
        if shape.random() < 0.3:
            t = t.set_column(6, "e", t["e"].dictionary_encode())
        pq.write_table(t, path, row_group_size=group, use_dictionary=dictionary, write_statistics=shape.random() < 0.9,
                       write_page_index=shape.random() < 0.5, data_page_size=shape.choice([64, 1 << 20]),
                       compression=shape.choice(["none", "snappy", "zstd"]))
    elif writer == "polars":
        p = pl.from_arrow(t)
        if shape.random() < 0.5:
            p = p.with_columns(pl.col("e").cast(pl.Categorical))
        p.write_parquet(path, row_group_size=group, statistics=shape.choice([True, "full"]),
                        compression=shape.choice(["uncompressed", "snappy", "zstd"]))
    else:
        frame = t.drop_columns(["m", "d"]).to_pandas()
        frame["m"] = [None if v is None else float(v) for v in t["m"].to_pylist()]
        frame["d"] = pandas.to_datetime(t["d"].to_pandas()).astype("datetime64[ns]")  # of other units it writes wrong ones
        fastparquet.write(path, frame, row_group_offsets=max(group, 2), stats=True)
    return writer

root, count = sys.argv[1], int(sys.argv[2])
used = {}
for k in range(count):
    for side in "ab":
        w = write(k, side, f"{root}/{k}.{side}.parquet")
        used[w] = used.get(w, 0) + 1
print("files:", used)
PY
"$python" "$work/write.py" "$work" "$1"
"$build/rowwise_test" "$work" "$1" "$2"
