#!/usr/bin/env python3
"""One application of WebFlux on four servers: spring.py DIRECTORY [--quick]

DIRECTORY has target/webflux-{peregrine,netty,tomcat,jetty}.jar. Prints Markdown; raw turns go to out/spring.jsonl."""
import os, sys, time
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from paired import *

home, quick = os.path.abspath(sys.argv[1]), "--quick" in sys.argv
out = os.environ.get("OUT", os.path.join(home, "out"))
os.makedirs(out, exist_ok=True)
java = os.path.join(os.environ["JAVA_HOME"], "bin/java")
FLAGS = "--enable-native-access=ALL-UNNAMED --add-modules jdk.incubator.vector --add-opens java.base/java.lang=ALL-UNNAMED"
KINDS = {"Peregrine": ("peregrine", ""), "Peregrine with flags": ("peregrine", FLAGS), "Reactor Netty": ("netty", ""), "Tomcat": ("tomcat", ""), "Jetty": ("jetty", "")}
HEAP = 128


def start(name, port, flags="", **more):
    jar, own = KINDS[name]
    return Server(name, f"{java} -XX:ActiveProcessorCount=1 {own} {flags} -jar {home}/target/webflux-{jar}.jar --server.port={port} --spring.main.banner-mode=off", port,
                  out=f"{out}/spring-{jar}{'-flags' if own else ''}.log", **more)


def bare(port, flags="", **more):
    return Server("no server", f"{java} -XX:ActiveProcessorCount=1 {flags} -jar {home}/target/webflux-peregrine.jar --spring.main.web-application-type=none --app.stay=1 --spring.main.banner-mode=off", port,
                  probe="started without a server", out=f"{out}/spring-none.log", **more)


raw = open(f"{out}/spring.jsonl", "w")
print(f"Spring Boot 4.0.7, {machine()}; {time.strftime('%H:%M:%S')}\n", flush=True)

# Start: from exec to the first response of 200, all on processor 1; default flags of the JVM
begun = {n: [] for n in ["no server", *KINDS]}
for r in range(1 if quick else 5):
    for i, n in enumerate(begun):
        s = bare(18600 + i, cpus=(SERVER,)) if n == "no server" else start(n, 18600 + i, cpus=(SERVER,))
        time.sleep(0.2)
        begun[n].append({"first": s.first, "resident": s.resident(), "cpu": sum(s.cpu()) * 1000})
        print(json.dumps({"start": n, **begun[n][-1]}), file=raw, flush=True)
        s.end()

# Load
fixed = f"-Xms{HEAP}m -Xmx{HEAP}m -XX:+AlwaysPreTouch"
servers = [start(n, 18610 + i, fixed) for i, n in enumerate(KINDS)]
none = bare(18620, fixed)
time.sleep(1)
none_memory = none.resident() - HEAP + none.live()
none.end()
WORK = {"JSON": "/items/7", "streamed": "/items", "text": "/text"}
for s in servers:
    s.began_with = s.resident() - HEAP
    s.stop()
loads = {w: (lambda s, t, p=p: wrk(s.port, p, max(1, round(t)))) for w, p in WORK.items()}
for s in servers:
    s.go()
    for w, secs in (("JSON", 6), ("streamed", 6), ("text", 3)):
        loads[w](s, 1 if quick else secs)
    s.pin()
    s.stop()
try:
    results = rounds(servers, loads, 1 if quick else 4, 2, raw)
    memory = {}
    for s in servers:
        s.go()
        memory[s.name] = (s.resident() - HEAP, s.live())
finally:
    for s in servers:
        s.end()

print("CPU time of the server for each request in µs, user and system; in brackets of it in the system. Medians.\n")
print("| | " + " | ".join(f"{w} `{p}` | requests each CPU second" for w, p in WORK.items()) + " |\n|---|" + "--:|" * (2 * len(WORK)))
for n in KINDS:
    cells = []
    for w in WORK:
        us = middle(results[w][n])
        cells += [f"{show(us)} ({show(middle(results[w][n], 'system'))})", show(us and 1e6 / us, 0)]
    print(f"| {n} | " + " | ".join(cells) + " |")
print("\n| ratio of requests each CPU second to Reactor Netty's (aim 1.5) | " + " | ".join(WORK) + " |\n|---|" + "--:|" * len(WORK))
for n in KINDS:
    pairs = {w: [b["us"] / a["us"] for a, b in zip(results[w][n], results[w]["Reactor Netty"]) if "us" in a and "us" in b] for w in WORK}
    print(f"| {n} | " + " | ".join(f"{statistics.median(p):.2f} ({min(p):.2f}–{max(p):.2f})" if p else "" for p in pairs.values()) + " |")
m = statistics.median
print("\nStart on one processor, default flags; memory after load with a heap of 128 MiB touched at start: resident beyond the heap, and live objects.\n")
print("| | until the first 200, ms | CPU ms until then | resident then, MiB | after load beyond the heap, MiB | live objects, MiB | both | more than without a server |\n|---|" + "--:|" * 7)
b = begun["no server"]
print(f"| without a server | {m(x['first'] for x in b):.0f} | {m(x['cpu'] for x in b):.0f} | {m(x['resident'] for x in b):.0f} | | | {none_memory:.0f} | |")
for n in KINDS:
    b, (beyond, live) = begun[n], memory[n]
    print(f"| {n} | {m(x['first'] for x in b):.0f} | {m(x['cpu'] for x in b):.0f} | {m(x['resident'] for x in b):.0f} | {beyond:.0f} | {live:.0f} | {beyond + live:.0f} | {beyond + live - none_memory:.0f} |")
errors = {(w, n): t["errors"] for w in WORK for n in KINDS for t in results[w][n] if t["errors"]}
print(f"\nErrors: {errors or 'none'}. The server used {min(t.get('busy', 0) for w in WORK for n in KINDS for t in results[w][n]) * 100:.0f} % of its processor or more. {machine()}; {time.strftime('%H:%M:%S')}")
