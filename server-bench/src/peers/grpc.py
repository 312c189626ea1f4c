#!/usr/bin/env python3
"""Calls of gRPC on seven servers: grpc.py DIRECTORY BLAST CERTIFICATES [--quick] [--only a,b]

DIRECTORY has java/target/classes, java/target/lib, bin/grpc-go and bin/tonic. Prints Markdown; raw turns go to out/grpc.jsonl."""
import os, sys, time
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from paired import *

home, program, tls = (os.path.abspath(a) for a in sys.argv[1:4])
quick = "--quick" in sys.argv
only = sys.argv[sys.argv.index("--only") + 1].split(",") if "--only" in sys.argv else None
out = os.environ.get("OUT", os.path.join(home, "out"))
os.makedirs(out, exist_ok=True)
java = os.path.join(os.environ["JAVA_HOME"], "bin/java")
JVM = f"{java} -XX:ActiveProcessorCount=1 -Xms512m -Xmx512m --enable-native-access=ALL-UNNAMED --add-modules jdk.incubator.vector {os.environ.get('JFLAGS', '')} -cp {home}/java/target/classes:{home}/java/target/lib/* app.Main"
KINDS = {  # name: command, is Java
    "Peregrine, plain HTTP/2": (f"{JVM} plain", True),
    "Peregrine, on the loop": (f"{JVM} peregrine", True),
    "Peregrine, virtual threads": (f"{JVM} peregrine-virtual", True),
    "grpc-netty-shaded, on the loop": (f"{JVM} netty", True),
    "grpc-netty-shaded, its pool": (f"{JVM} netty-pool", True),
    "Armeria": (f"{JVM} armeria", True),
    "Vert.x": (f"{JVM} vertx", True),
    "grpc-go": (f"{home}/bin/grpc-go", False),
    "tonic": (f"{home}/bin/tonic", False),
}
if only:
    KINDS = {k: v for k, v in KINDS.items() if any(o in k for o in only)}
PLAIN = "Peregrine, plain HTTP/2"
ECHO = "-m h2 -G 1 -b 10 -P /grpc.examples.echo.Echo/"
WORK = {  # name: of gRPC, of plain HTTP/2, messages each way
    "unary": (ECHO + "UnaryEcho -c 64 -d 16", "-m h2 -b 17 -P /plain -c 64 -d 16", 1),
    "unary over TLS": ("-s " + ECHO + "UnaryEcho -c 64 -d 16", "-s -m h2 -b 17 -P /plain -c 64 -d 16", 1),
    "unary, one at a time": (ECHO + "UnaryEcho -c 64 -d 1", "-m h2 -b 17 -P /plain -c 64 -d 1", 1),
    "100 messages down": (ECHO + "ServerStreamingEcho -c 16 -d 4", None, 100),
    "100 messages up and down": (ECHO.replace("-G 1", "-G 100") + "BidirectionalStreamingEcho -c 16 -d 4", None, 100),
}
if "--work" in sys.argv:
    WORK = {w: v for w, v in WORK.items() if w in sys.argv[sys.argv.index("--work") + 1].split(",")}


def load(workload):
    grpc, plain, _ = WORK[workload]
    def run(s, seconds):
        a = plain if s.name == PLAIN else grpc
        return blast(program, s.port + (1 if a.startswith("-s") else 0), a, seconds)
    return run


def skip(s, w):
    return s.name == PLAIN and WORK[w][1] is None


def allocated(s):
    """Bytes that all threads have allocated, by the program's own account."""
    s.log.seek(0, 2)
    at = s.log.tell()
    os.kill(s.pid, signal.SIGUSR2)
    for _ in range(200):
        time.sleep(0.01)
        s.log.seek(at)
        m = re.search(rb"allocated (\d+)\n", s.log.read())
        if m:
            return int(m.group(1))
    return None


raw = open(f"{out}/grpc.jsonl", "w")
print(f"grpc-java 1.85.1, protobuf-java 4.36.2, Netty 4.2.18 (shaded: grpc's), Armeria 1.36.0, Vert.x 5.0.7, grpc-go 1.85.0, tonic 0.14.9; {machine()}; {time.strftime('%H:%M:%S')}\n", flush=True)
servers = []
try:
    for i, (n, (command, jvm)) in enumerate(KINDS.items()):
        servers.append(Server(n, f"{command} {18700 + 2 * i} {tls}/ec.crt {tls}/ec.key", 18700 + 2 * i, probe="started" if jvm else None,
                              out=f"{out}/grpc-{i}.log", cpus=(0, 1) if jvm else (SERVER,), env={"GOMAXPROCS": "1"}))
        s = servers[-1]
        if not jvm:
            time.sleep(0.5)
        s.jvm = jvm
        for w in WORK:  # warm
            if not skip(s, w):
                n_, errors = load(w)(s, 0.5 if quick or not jvm else (20 if "--long" in sys.argv else 5) if w == "unary" else 2.5)
                if errors:
                    print(f"{s.name}, {w}, while warming: {errors}", flush=True)
        s.pin()
        s.stop()
    results = rounds(servers, {w: load(w) for w in WORK}, 1 if quick else 3, 0.8 if quick else 1.4, raw, skip)
    bytes_ = {}
    for s in servers:
        if s.jvm:
            s.go()
            for w in WORK:
                if not skip(s, w):
                    a = allocated(s)
                    n_, _ = load(w)(s, 0.6)
                    b = allocated(s)
                    if a and b and n_:
                        bytes_[s.name, w] = (b - a) / n_ / WORK[w][2]
            s.stop()
finally:
    for s in servers:
        s.end()

print("CPU time of the server in µs for each call, user and system; in brackets of it in the system. Medians of rounds in turn.\n")
u = [w for w in WORK if WORK[w][2] == 1]
print("| | " + " | ".join(u) + " | unary ÷ plain HTTP/2 (aim 3.2) | allocated for each call, B |\n|---|" + "--:|" * (len(u) + 2))
for n in KINDS:
    ratio = [a["us"] / b["us"] for a, b in zip(results["unary"][n], results["unary"].get(PLAIN, [])) if "us" in a and "us" in b] if "unary" in WORK else []
    print(f"| {n} | " + " | ".join(f"{show(middle(results[w][n]), 2)} ({show(middle(results[w][n], 'system'), 2)})" for w in u)
          + f" | {show(statistics.median(ratio) if ratio else None, 2)} | {show(bytes_.get((n, 'unary')), 0)} |")
print("\nStreamed messages, 16 connections × 4 calls of 100 messages.\n")
m = [w for w in WORK if WORK[w][2] > 1]
print("| | " + " | ".join(f"{w}: messages each CPU second | allocated for each, B" for w in m) + " |\n|---|" + "--:|" * (2 * len(m)))
for n in KINDS:
    if n != PLAIN:
        cells = []
        for w in m:
            us = middle(results[w][n])
            cells += [show(us and WORK[w][2] * 1e6 / us, 0), show(bytes_.get((n, w)), 0)]
        print(f"| {n} | " + " | ".join(cells) + " |")
errors = {(w, n): t["errors"] for w in WORK for n in KINDS for t in results[w][n] if t["errors"]}
idle = sorted((round(t["busy"], 2), w, n) for w in WORK for n in KINDS for t in results[w][n] if "busy" in t)[:3]
print(f"\nErrors: {errors or 'none'}. Least use of the processor: {idle}. {machine()}; {time.strftime('%H:%M:%S')}")
