#!/usr/bin/env python3
"""The same server with its own memory and with Netty's: memory.py DIRECTORY BLAST [--quick]. DIRECTORY has classes and lib."""
import os, sys, time
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from paired import *

home, program = os.path.abspath(sys.argv[1]), sys.argv[2]
quick = "--quick" in sys.argv
out = os.environ.get("OUT", os.path.join(home, "out"))
os.makedirs(out, exist_ok=True)
java = os.path.join(os.environ["JAVA_HOME"], "bin/java")
FLAGS = "-XX:ActiveProcessorCount=1 --enable-native-access=ALL-UNNAMED --add-modules jdk.incubator.vector"
KINDS = {"own memory": "own", "own memory, once more": "own", "NettyMemory": "netty"}
HEAP = 64


def start(name, port, flags="", **more):
    return Server(name, f"{java} {FLAGS} {flags} -cp {home}/classes:{home}/lib/* MemoryServer {KINDS[name]} {port}", port, probe="/plaintext", out=f"{out}/netty-{port}.log", **more)


WORK = {"16 deep": "-m h1 -P /plaintext -c 64 -d 16", "one at a time": "-m h1 -P /plaintext -c 64 -d 1", "echo of 64 KiB": "-m h1 -P /echo -b 65536 -c 16 -d 1"}
raw = open(f"{out}/netty_memory.jsonl", "w")
print(f"{machine()}; {time.strftime('%H:%M:%S')}\n", flush=True)
begun = {n: [] for n in ("own memory", "NettyMemory")}
for r in range(2 if quick else 11):
    for i, n in enumerate(begun):
        s = start(n, 18900 + i, cpus=(SERVER,))
        begun[n].append({"first": s.first, "cpu": sum(s.cpu()) * 1000, "resident": s.resident()})
        print(json.dumps({"start": n, **begun[n][-1]}), file=raw, flush=True)
        s.end()
servers = [start(n, 18910 + i, f"-Xms{HEAP}m -Xmx{HEAP}m -XX:+AlwaysPreTouch") for i, n in enumerate(KINDS)]
loads = {w: (lambda s, t, a=a: blast(program, s.port, a, t)) for w, a in WORK.items()}
memory = {}
try:
    for s in servers:
        for w in WORK:
            loads[w](s, 0.5 if quick else 4)
        s.pin()
        s.stop()
    results = rounds(servers, loads, 1 if quick else 6, 0.8 if quick else 1.5, raw)
    for s in servers:
        s.go()
        memory[s.name] = (s.resident() - HEAP, s.live())
finally:
    for s in servers:
        s.end()
print("CPU time of the server for each request in µs, medians of rounds in turn; ratio to the first row of the same round. The second row shows what chance does.\n")
print("| | " + " | ".join(f"{w} | ÷ own" for w in WORK) + " | after load beyond the heap, MiB | live objects, MiB |\n|---|" + "--:|" * (2 * len(WORK) + 2))
for n in KINDS:
    cells = []
    for w in WORK:
        pairs = [a["us"] / b["us"] for a, b in zip(results[w][n], results[w]["own memory"]) if "us" in a and "us" in b]
        cells += [show(middle(results[w][n]), 2), f"{statistics.median(pairs):.2f} ({min(pairs):.2f}–{max(pairs):.2f})" if pairs else ""]
    print(f"| {n} | " + " | ".join(cells) + f" | {memory[n][0]:.1f} | {memory[n][1]:.1f} |")
m = statistics.median
print("\nStart on one processor.\n\n| | until the first 200, ms | CPU ms until then | resident then, MiB |\n|---|--:|--:|--:|")
for n, b in begun.items():
    print(f"| {n} | {m(x['first'] for x in b):.0f} | {m(x['cpu'] for x in b):.0f} | {m(x['resident'] for x in b):.0f} |")
errors = {(w, n): t["errors"] for w in WORK for n in KINDS for t in results[w][n] if t["errors"]}
print(f"\nErrors: {errors or 'none'}. {machine()}; {time.strftime('%H:%M:%S')}")
