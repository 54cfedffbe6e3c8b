#!/bin/sh
# Tables as they come: hourly rentals of bicycles and attendances of hospitals, with their dates, flags and codes,
# go to a policy with one schema and one command. The same tables, prepared by hand in Python as plain numbers,
# give the same design, byte for byte.
# usage: raw_tables_test.sh PROGRAM BUILD_DIR
. "$(dirname "$0")/lib.sh"

command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
[ -f "$data/bike/hour.csv" ] && [ -f "$data/hospital/ae_attendances.csv" ] || { echo "skipped: no data"; exit 77; }

cat >bike.json <<'END'
{"target": {"name": "count", "min": 0, "max": 1000, "transform": "log"},
 "features": [
  {"name": "dateday", "date": ["weekday", "month", "week", "day-of-year", "trend"], "format": "%d-%m-%Y",
   "start": "2011-01-01", "end": "2012-12-31", "holidays": ["2011-07-04", "2011-12-26", "2012-07-04", "2012-12-25"]},
  {"name": "hour", "levels": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23]},
  {"name": "workingday", "flag": true},
  {"name": "weathersit", "levels": [1, 2, 3, 4]},
  {"name": "temp", "min": 0, "max": 1},
  {"interaction": ["hour", "workingday"]},
  {"interaction": ["weathersit", "temp"]},
  {"interaction": ["temp", "trend"]}]}
END
cat >hospital.json <<'END'
{"target": {"name": "attendances", "min": 0, "max": 40000, "transform": "log", "log_unit": 100},
 "features": [
  {"name": "period", "date": ["month", "trend"], "start": "2016-04-01", "end": "2019-03-31"},
  {"name": "type", "levels": [1, 2], "other": true},
  {"name": "org_code", "hash": 64},
  {"name": "breaches", "min": 0, "max": 5000},
  {"interaction": ["type", "period[month]"]},
  {"interaction": ["type", "breaches"]}]}
END

cat >prepare.py <<'END'
# Each table as plain numbers between -1 and 1, computed with Python's own calendar.
import csv, datetime, hashlib, math, sys

data = sys.argv[1]
DAY = datetime.timedelta(1)


def calendar(day, start, end):
    weekday = [float(day.isoweekday() == k) for k in range(2, 8)]
    month = [float(day.month == k) for k in range(2, 13)]
    week = [float(day.isocalendar()[1] == k) for k in range(2, 54)]
    turn = 2 * math.pi * day.timetuple().tm_yday / 365.25
    year = [f(k * turn) for k in (1, 2) for f in (math.sin, math.cos)]
    half = ((end - start) / DAY) / 2
    trend = [min(1.0, max(-1.0, ((day - start) / DAY - half) / half))]
    return weekday, month, week, year, trend


def products(a, b):  # the first changes fastest
    return [x * y for y in b for x in a]


def bike():
    start, end = datetime.datetime(2011, 1, 1), datetime.datetime(2012, 12, 31)
    for r in csv.DictReader(open(data + "/bike/hour.csv")):
        day = datetime.datetime.strptime(r["dateday"], "%d-%m-%Y")
        weekday, month, week, year, trend = calendar(day, start, end)
        holiday = [float((day.month, day.day, day.year) in ((7, 4, 2011), (12, 26, 2011), (7, 4, 2012), (12, 25, 2012)))]
        hour = [float(int(r["hour"]) == k) for k in range(1, 24)]
        working = [float(r["workingday"])]
        weather = [float(int(r["weathersit"]) == k) for k in (2, 3, 4)]
        temp = [2 * float(r["temp"]) - 1]
        yield r["count"], weekday + month + week + year + trend + holiday + hour + working + weather + temp + products(
            hour, working) + products(weather, temp) + products(temp, trend)


def hospital():
    start, end = datetime.datetime(2016, 4, 1), datetime.datetime(2019, 3, 31)
    for r in csv.DictReader(open(data + "/hospital/ae_attendances.csv")):
        _, month, _, _, trend = calendar(datetime.datetime.strptime(r["period"], "%Y-%m-%d"), start, end)
        kind = [float(r["type"] == "2"), float(r["type"] not in "12")]
        bucket = int.from_bytes(hashlib.sha256(r["org_code"].encode()).digest()[:8], "big") % 64
        code = [float(bucket == k) for k in range(1, 64)]
        breaches = [min(1.0, (float(r["breaches"]) - 2500) / 2500)]
        yield r["attendances"], month + trend + kind + code + breaches + products(kind, month) + products(kind, breaches)


for name, rows, target in (
    ("bike", bike(), '{"name": "y", "min": 0, "max": 1000, "transform": "log"}'),
    ("hospital", hospital(), '{"name": "y", "min": 0, "max": 40000, "transform": "log", "log_unit": 100}'),
):
    with open(name + "_plain.csv", "w") as out:
        for i, (y, x) in enumerate(rows):
            if i == 0:
                names = ["x%d" % j for j in range(len(x))]
                out.write(",".join(["y"] + names) + "\n")
            out.write(",".join([y] + [repr(v) for v in x]) + "\n")
    features = ", ".join('{"name": "%s", "min": -1, "max": 1}' % n for n in names)
    print("prepared", name)
    open(name + "_plain.json", "w").write('{"target": %s, "features": [%s]}' % (target, features))
END
expect 0 'prepared' python3 prepare.py "$data"

for table in bike hospital; do
  raw="$data/bike/hour.csv"
  [ $table = hospital ] && raw="$data/hospital/ae_attendances.csv"
  expect 0 'written' "$tacit" pack "$raw" --schema $table.json --out $table.tacit
  expect 0 'written' "$tacit" pack ${table}_plain.csv --schema ${table}_plain.json --out ${table}_plain.tacit
  # behind the header, which names the schema, lie the blocks and their checksums
  tail -c +4097 $table.tacit >$table.raw
  tail -c +4097 ${table}_plain.tacit >$table.plain
  same $table.raw $table.plain
  # record by record, as from a pipe
  "$tacit" pack - --schema $table.json --out piped.tacit <"$raw" >/dev/null
  same $table.tacit piped.tacit
  expect 0 'written' "$tacit" fit "$raw" --schema $table.json --underage 4 --overage 1 --mu 1 --out $table.policy --no-ledger
  expect 0 'holds' "$tacit" verify $table.policy
  expect 0 ',order' sh -c "'$tacit' order $table.policy '$raw' 2>/dev/null | head -3"
done
expect 0 '"hour=8:workingday"' cat bike.policy
expect 0 '"type=other:period\[month\]=February"' cat hospital.policy
finish
