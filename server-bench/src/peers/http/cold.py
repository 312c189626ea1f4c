#!/usr/bin/env python3
"""First response and first seconds of servers, each alone, on CPU 0; the client (a probe, then wrk) on CPU 1.

    cold.py [--rounds N] [--seconds N] [--project PATH] [NAME=COMMAND ...]

A COMMAND has {port}, {java}, {build}, {project}, {here}; without any, peregrine, kestrel, the JDK's HttpServer and a plain NIO program are run (built by `build`).
Prints per server: ms from exec to the first response's bytes, MiB resident then, thousands of requests in each following second
(wrk, 64 connections, one at a time), MiB resident at the end. Medians over rounds, servers in turn. Needs Debian's wrk.
"""
import argparse, os, re, shlex, socket, statistics, subprocess, sys, time
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import run

DEFAULT = {
    "peregrine": "{java} --add-modules jdk.incubator.vector -jar {project}/server-examples/target/peregrine.jar --port {port}",
    "peregrine-swar": "{java} -jar {project}/server-examples/target/peregrine.jar --port {port}",
    "kestrel": "{build}/kestrel/kestrel {port}",
    "jdk-httpserver": "{java} -cp {build}/jdk/classes JdkPeer {port}",
    "floor-java-nio": "{java} -cp {build}/floor-nio/classes FloorNio {port}",
}


def resident(pid):
    return int(re.search(r"VmRSS:\s+(\d+)", open(f"/proc/{pid}/status").read()).group(1)) / 1024


def once(cmd, port, seconds):
    start = time.perf_counter()
    p = subprocess.Popen(["taskset", "-c", "0"] + cmd, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        while True:
            if p.poll() is not None or time.perf_counter() - start > 30:
                sys.exit(f"{' '.join(cmd)}: no answer")
            try:
                with socket.create_connection(("127.0.0.1", port)) as s:
                    s.sendall(b"GET /plaintext HTTP/1.1\r\nHost: a\r\n\r\n")
                    if s.recv(1000):
                        break
            except OSError:
                time.sleep(0.002)
        first, small, per = (time.perf_counter() - start) * 1000, resident(p.pid), []
        for _ in range(seconds):
            o = subprocess.run(["taskset", "-c", "1", "wrk", "-t1", "-c64", "-d1s", f"http://127.0.0.1:{port}/plaintext"], capture_output=True, text=True).stdout
            per.append(float(re.search(r"Requests/sec:\s+([\d.]+)", o).group(1)) / 1000)
        return first, small, per, resident(p.pid)
    finally:
        p.terminate(); p.wait()


ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
ap.add_argument("--rounds", type=int, default=5)
ap.add_argument("--seconds", type=int, default=6)
ap.add_argument("--project", default=".")
ap.add_argument("server", nargs="*", metavar="NAME=COMMAND")
a = ap.parse_args()
java = run.find_jdk() + "/bin/java"
servers = dict(s.split("=", 1) for s in a.server) or DEFAULT
results = {n: [] for n in servers}
for r in range(a.rounds):
    for i, (n, c) in enumerate(servers.items()):
        port = 18300 + i
        for k, v in {"port": str(port), "java": java, "build": run.BUILD, "project": os.path.abspath(a.project), "here": run.HERE}.items():
            c = c.replace("{" + k + "}", v)
        results[n].append(once(shlex.split(c), port, a.seconds))
m = statistics.median
print(f"| server | first response ms | MiB then | thousands of requests in second 1 … {a.seconds} | MiB at the end |\n|---|--:|--:|--:|--:|")
for n, x in results.items():
    print(f"| {n} | {m(y[0] for y in x):.0f} | {m(y[1] for y in x):.0f} | {' '.join(f'{m(y[2][s] for y in x):.0f}' for s in range(a.seconds))} | {m(y[3] for y in x):.0f} |")
