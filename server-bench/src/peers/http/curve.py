#!/usr/bin/env python3
"""Processor time per request and latency of servers from nearly idle to saturation, on one processor; the generator has the other.

    curve.py [--project PATH] [--only NAMES] [--turns N] [--rates N,N] [--warm SECONDS] [--config TOML]

The first name is the one that the others are compared with. Starts the servers of the configuration, warms each until it has used
--warm seconds of its processor, and runs LoadCurve of `benchmarks.jar` over all of them: turns of one second in random order.
Takes about turns x rates x servers seconds, and the warm-up. See ../README.md for what a fair measurement needs.
"""
import argparse, os, subprocess, sys, time, tomllib
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import run

ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
ap.add_argument("--project", default=".")
ap.add_argument("--config", default=f"{run.HERE}/peers.toml")
ap.add_argument("--only", default="floor-c-epoll,peregrine,nginx,netty-epoll,helidon,kestrel")
ap.add_argument("--turns", type=int, default=9)
ap.add_argument("--connections", type=int, default=64)
ap.add_argument("--rates", default="1000,2500,5000,10000,25000,50000,75000")
ap.add_argument("--warm", type=float, default=20)
a = ap.parse_args()
run.ARGS = argparse.Namespace(port_offset=0, project=a.project, raw=f"{run.BUILD}/results", nice=-10, blast=f"{run.BUILD}/bin/blast", sleepy=False, no_freeze=True)
os.makedirs(run.ARGS.raw, exist_ok=True)
config = tomllib.load(open(a.config, "rb"))
servers = []
try:
    for name in a.only.split(","):
        s = run.Server(name, config["peers"][name], config["defaults"])
        try:
            started = s.start()
        except OSError as missing:
            started, s.error = False, str(missing)
        if not started:
            print(f"{name} is left out: {s.error}", file=sys.stderr)
            s.stop()
            continue
        servers.append(s)
        end = time.time() + 4 * a.warm
        while sum(s.cpu()) < (a.warm if s.jvm else a.warm / 4) and time.time() < end:
            run.blast(s, ["-c", str(a.connections)], 2)
        s.pin()
    java = f"{run.find_jdk()}/bin/java"
    jar = f"{a.project}/server-bench/target/benchmarks.jar"
    subprocess.run(["nice", "-n", "-10", "taskset", "-c", str(run.CLIENT_CPU), java, "-cp", jar, "dev.peregrine.bench.compare.load.LoadCurve",
                    str(a.turns), str(a.connections), a.rates] + [f"{s.name}={s.port}:{s.proc.pid}" for s in servers], check=True)
finally:
    for s in servers:
        s.stop()
