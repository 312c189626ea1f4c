#!/usr/bin/env python3
"""The latency of the first seconds at a fixed rate: servers in turn on processor 0, rate.c on processor 1.

    run.py [--rounds N] [--rate N] [--seconds N] NAME=COMMAND ...

A COMMAND has {port} and answers GET /plaintext. Prints the medians over the rounds.
"""
import argparse, os, shlex, statistics, subprocess, tempfile

p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
p.add_argument("--rounds", type=int, default=5)
p.add_argument("--rate", type=int, default=10_000)
p.add_argument("--seconds", type=int, default=5)
p.add_argument("--connections", type=int, default=64)
p.add_argument("server", nargs="+", metavar="NAME=COMMAND")
a = p.parse_args()
here = os.path.dirname(os.path.abspath(__file__))
rate = os.path.join(tempfile.mkdtemp(), "rate")
subprocess.run(["cc", "-O2", "-o", rate, os.path.join(here, "rate.c")], check=True)
results = {}
for _ in range(a.rounds):
    for i, (name, command) in enumerate(s.split("=", 1) for s in a.server):
        port = str(18500 + i)
        server = subprocess.Popen(["taskset", "-c", "0"] + shlex.split(command.replace("{port}", port)), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            line = subprocess.run(["taskset", "-c", "1", rate, port, "/plaintext", str(a.rate), str(a.seconds), str(a.connections)], check=True, capture_output=True, text=True).stdout
            results.setdefault(name, []).append([float(x) for x in line.split()])
        finally:
            server.terminate()
            server.wait()
print(f"| {a.rate:,} requests/s for {a.seconds} s | first response ms | p50 ms | p99 ms | max ms | answered |\n|---|--:|--:|--:|--:|--:|")
for name, rows in results.items():
    m = [statistics.median(row[i] for row in rows) for i in range(5)]
    print(f"| {name} | {m[0]:.0f} | {m[1]:.2f} | {m[2]:.2f} | {m[3]:.1f} | {m[4]:.0f} |")
