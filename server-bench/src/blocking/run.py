#!/usr/bin/env python3
"""Measures servers whose handlers block, beside each other: see README.md beside this file.

Servers run on one processor, everything else on another. All servers are started and warmed, then
stopped (SIGSTOP) and continued only for their own turns, in interleaved rounds. The floor is
measured right before each turn, because machines drift.
"""
import argparse, ctypes, fcntl, json, os, resource, signal, statistics, subprocess, sys, threading, time
from contextlib import contextmanager

HERE = os.path.dirname(os.path.abspath(__file__))
MAIN = "dev.peregrine.bench.blocking.BlockingServerMain"
POSTGRES = "dev.peregrine.bench.blocking.LocalPostgres"
SERVERS = ["peregrine", "peregrine-loop", "peregrine-carried", "peregrine-sockets", "helidon", "robaho", "jetty", "vertx", "vertx-loop", "jdk",
           "vertx-pg", "vertx-pg-pipelined", "actix-pg", "actix-pg-pipelined"]
VM = "-Xms512m -Xmx512m -XX:+UseParallelGC -XX:ActiveProcessorCount=1 -XX:-UsePerfData --add-modules=jdk.incubator.vector --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow"
CARRY = "--add-opens java.base/java.lang=ALL-UNNAMED"
VARIANTS = {"peregrine-carried": CARRY, "peregrine-sockets": CARRY + " -Dblocking.loopSockets=true"}
FLOOR, STUCK_RATE, PR_SET_PDEATHSIG = "floor", 2000, 1
SERVICE_PORT, DATABASE_PORT, FIRST_PORT = 18390, 18391, 18400

# name -> options of load in a closed loop, requests a second at a constant rate (0: not measured)
WORKLOADS = {
    "plain": (["-P", "/plain", "-c", "64"], 20000),
    "plain16": (["-P", "/plain", "-c", "64", "-d", "16"], 0),
    "ask": (["-P", "/ask", "-c", "64", "-s", str(SERVICE_PORT)], 10000),
    "jdbc": (["-P", "/jdbc", "-c", "64", "-z"], 10000),
    "select": (["-P", "/select", "-c", "64", "-z"], 5000),
    "sleep": (["-P", "/sleep", "-c", "10000"], 10000),
}
# the neighbours of a handler that lasts, with how it does
STUCK = ["spin", "park", "fifo"]
ON_LOOP = {"plain", "plain16", "neighbours"}  # what servers on a loop take part in
DATABASE = {"jdbc", "select"}
# what a response contains; the floor answers every path with HELLO
HELLO, CONTENT = "Hello, World!", {"/ask": "Hello, World! says the service\r\n"}

PEERS = os.environ.get("PEERS_BUILD", os.path.expanduser("~/.cache/peregrine-bench"))
VERTX_PG = f"-cp {PEERS}/vertx-pg/classes:{PEERS}/vertx-pg/lib/* VertxPgPeer"
ACTIX_PG = f"{PEERS}/cargo-pg/release/actix-pg"
VERTX_BUILT = f"{PEERS}/vertx-pg/classes/VertxPgPeer.class"
# Servers whose drivers wait on their event loop: their program, the last of its arguments, and its file. They take part in DATABASE only.
REACTIVE = {"vertx-pg": (VERTX_PG, "pool", VERTX_BUILT), "vertx-pg-pipelined": (VERTX_PG, "pipelined", VERTX_BUILT),
            "actix-pg": (ACTIX_PG, "pool", ACTIX_PG), "actix-pg-pipelined": (ACTIX_PG, "pipelined", ACTIX_PG)}


def log(*words):
    print(time.strftime("%H:%M:%S"), *words, file=sys.stderr, flush=True)


class Lock:
    """A lock file, held over several turns and given up for a moment after half a minute."""
    file, since = None, 0.0

    @contextmanager
    def turn(self):
        if ARGS.lock and not self.file:
            self.file = open(ARGS.lock, "a")
            fcntl.flock(self.file, fcntl.LOCK_EX)
            self.since = time.time()
        try:
            yield
        finally:
            if self.file and time.time() - self.since > 30:
                self.release()
                time.sleep(0.2)

    def release(self):
        if self.file:
            self.file.close()
            self.file = None


LOCK = Lock()


class Server:
    def __init__(self, name, port, kind, classpath, flags):
        self.name, self.port, self.kind, self.process = name, port, kind, None
        self.fifo = f"{ARGS.out}/{name}.fifo"
        settings = [f"-Dblocking.service={SERVICE_PORT}", f"-Dblocking.stuck={int(ARGS.stuck * 1000)}", f"-Dblocking.fifo={self.fifo}",
                    f"-Dblocking.jdbc=jdbc:postgresql://127.0.0.1:{DATABASE_PORT}/postgres?user=bench"]
        if kind == FLOOR:
            self.command = [f"{ARGS.out}/floor", str(port)]
        elif kind in REACTIVE:
            program, drivers, _ = REACTIVE[kind]
            java = [ARGS.java, *VM.split()] if program is VERTX_PG else []
            self.command = [*java, *program.split(), str(port), str(DATABASE_PORT), drivers]
        else:
            self.command = [ARGS.java, *VM.split(), *flags.split(), *settings, "-cp", classpath, MAIN, kind, str(port)]
        self.native = kind == FLOOR or kind in REACTIVE and program is ACTIX_PG

    def start(self):
        if self.kind in REACTIVE and not os.path.exists(REACTIVE[self.kind][2]):
            raise RuntimeError(f"{self.name} isn't there: server-bench/src/peers/http/build vertx-pg actix-pg builds it")
        if not os.path.exists(self.fifo):
            os.mkfifo(self.fifo)
        self.output = open(f"{ARGS.out}/{self.name}.log", "wb")
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=self.output, stderr=subprocess.STDOUT, preexec_fn=lambda: child({0, 1}))
        end = time.time() + 30
        while time.time() < end and self.process.poll() is None:
            j = load(self, ["-P", "/plain", "-c", "1"], 0.01)
            if "error" not in j:
                return
            time.sleep(0.2)
        raise RuntimeError(f"{self.name} doesn't start: see {self.output.name}")

    def warm(self, workloads):
        """Until it has used enough CPU time; its compiler may use both processors meanwhile."""
        each = ARGS.warm / (4 if self.native else 1) / max(1, len(workloads))
        for name in workloads:
            used, end = 0.0, time.time() + 2.5 * each
            while used < each and time.time() < end:
                seconds = min(2.0, each - used + 0.1)
                j = load(self, WORKLOADS[name][0], seconds)
                if "error" in j:
                    log(f"{self.name}, {name}: {j['error']}")
                    break
                used += j["server_cpu"] * seconds
        for task in os.listdir(f"/proc/{self.process.pid}/task"):
            try:
                os.sched_setaffinity(int(task), {0})
            except OSError:
                pass

    def memory(self, key):
        for line in open(f"/proc/{self.process.pid}/status"):
            if line.startswith(key + ":"):
                return int(line.split()[1]) / 1024
        return 0.0

    @contextmanager
    def running(self):
        self.process.send_signal(signal.SIGCONT)
        time.sleep(0.15)
        try:
            yield
        finally:
            time.sleep(0.2)  # until it has seen the end of the connections
            self.process.send_signal(signal.SIGSTOP)

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.process.kill()
            self.process.wait()
        if os.path.exists(self.fifo):
            os.unlink(self.fifo)


def load(server, options, seconds):
    """Sends; returns the figures. A first response that isn't as expected is an error."""
    content = CONTENT.get(options[1], HELLO) if server.kind != FLOOR else HELLO
    command = [f"{ARGS.out}/load", "-p", str(server.port), "-u", str(server.process.pid), "-t", str(seconds), "-e", content] + options
    try:
        r = subprocess.run(command, capture_output=True, text=True, timeout=seconds + 90, preexec_fn=lambda: child({1}))
        return json.loads(r.stdout.splitlines()[-1])
    except subprocess.TimeoutExpired:
        return {"error": "the load generator takes too long"}
    except (IndexError, ValueError):
        return {"error": f"the load generator has failed with {r.returncode}: {r.stderr[-200:]}"}


def child(processors, dies=True):
    """Prepares a process that is about to be started; one that dies ends with this one, even while stopped."""
    if dies:
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    os.sched_setaffinity(0, processors)
    if ARGS.nice:
        os.nice(ARGS.nice)
        os.setsid()  # Linux may schedule sessions as groups, which have a niceness of their own
        if os.path.exists("/proc/self/autogroup"):
            open("/proc/self/autogroup", "w").write(str(ARGS.nice))


def busy():
    """Seconds that the servers' processor was busy."""
    fields = list(map(int, open("/proc/stat").read().splitlines()[1].split()[1:9]))
    return (sum(fields) - fields[3] - fields[4]) / os.sysconf("SC_CLK_TCK")


def closed(server, floor, name):
    """CPU per request in a closed loop, and its ratio to the floor's right before."""
    options = WORKLOADS[name][0]
    j = {}
    if floor and floor is not server:
        with floor.running():
            base = load(floor, ["-P", "/plain"] + options[2:], ARGS.seconds / 3)
    with server.running():
        load(server, options, 0.3)
        before, at = busy(), time.time()
        j = load(server, options, ARGS.seconds)
        if "error" not in j:
            j["foreign"] = max(0.0, (busy() - before - j["server_cpu"] * j["seconds"]) / (time.time() - at))
            j["rss"], j["peak"] = server.memory("VmRSS"), server.memory("VmHWM")
    if floor and floor is not server and j.get("requests") and base.get("requests"):
        j["ratio"] = j["cpu_ns"] / base["cpu_ns"]
    elif floor is server and j.get("requests"):
        j["ratio"] = 1.0
    return j


def live(server, name):
    """MiB that are live while all connections send, after a full collection."""
    sending = threading.Thread(target=load, args=(server, WORKLOADS[name][0], ARGS.seconds + 2))
    with server.running():
        sending.start()
        time.sleep(1 + ARGS.seconds / 2)
        r = subprocess.run([os.path.join(os.path.dirname(ARGS.java), "jcmd"), str(server.process.pid), "GC.class_histogram"], capture_output=True, text=True)
        sending.join()
    total = [line for line in r.stdout.splitlines() if line.startswith("Total")]
    return float(total[-1].split()[2]) / (1 << 20) if total else None


def rated(server, name):
    with server.running():
        options, rate = WORKLOADS[name]
        load(server, options + ["-r", str(rate)], 0.5)
        return load(server, options + ["-r", str(rate)], ARGS.seconds)


def neighbours(server, how):
    """Latencies of requests at a constant rate while another connection's handler lasts."""
    with server.running():
        options = ["-P", "/plain", "-c", "64", "-r", str(STUCK_RATE)]
        load(server, options, 0.5)
        writer = None
        if how == "fifo":  # the read ends when the writer has closed the file
            writer = subprocess.Popen(["sh", "-c", 'exec 3>"$0"; sleep "$1"; printf "Hello, World!" >&3', server.fifo, str(ARGS.stuck)])
        try:
            return load(server, options + ["-x", "/" + how], ARGS.stuck)
        finally:
            if writer:
                writer.kill()
                writer.wait()


def median(rounds, key):
    values = [r[key] for r in rounds if r.get(key) is not None]
    return statistics.median(values) if values else None


def cell(value, form="{:,.0f}"):
    return "–" if value is None else form.format(value)


def table(title, columns, rows):
    print(f"\n### {title}\n\n| server | {' | '.join(c for c, _, _ in columns)} |\n|---|{'--:|' * len(columns)}")
    for name, rounds in rows.items():
        good = [r for r in rounds if "error" not in r and r.get("requests")]
        failed = next((r.get("error", "no requests") for r in rounds if r not in good), None)
        if good:
            print(f"| {name} | " + " | ".join(cell(median(good, key), form) for _, key, form in columns) + " |" + (f" {failed}" if failed else ""))
        else:
            print(f"| {name} | {failed} |" + " |" * (len(columns) - 1))


LATENCIES = [("p50, µs", "p50", "{:,.0f}"), ("p99", "p99", "{:,.0f}"), ("p99.9", "p999", "{:,.0f}"), ("longest", "max", "{:,.0f}")]


def report(results):
    number = "{:,.0f}"
    for key, rows in results.items():
        name, what = key.split("/")
        if what == "closed":
            for rounds in rows.values():
                for r in rounds:
                    if r.get("seconds"):
                        r["rps"] = r["requests"] / r["seconds"]
            for rounds in rows.values():
                ratios = [r["ratio"] for r in rounds if "ratio" in r]
                for r in rounds:
                    if ratios:
                        r["least"], r["most"] = min(ratios), max(ratios)
            table(f"{name}: CPU per request, medians of {ARGS.rounds} rounds of {ARGS.seconds} s (`load {' '.join(WORKLOADS[name][0])}`)",
                  [("÷ floor", "ratio", "{:.2f}"), ("least", "least", "{:.2f}"), ("most", "most", "{:.2f}"), ("CPU, ns", "cpu_ns", number), ("user", "user_ns", number), ("system", "system_ns", number),
                   ("req/s", "rps", number), ("server's CPU", "server_cpu", "{:.0%}"), ("other work", "foreign", "{:.0%}"), ("RSS, MiB", "rss", number), ("peak", "peak", number)] + [("live heap", "live", number)] * (name == "sleep"), rows)
        elif what == "rated":
            table(f"{name}: latency at {WORKLOADS[name][1]:,} requests a second", LATENCIES + [("server's CPU", "server_cpu", "{:.0%}")], rows)
        else:
            table(f"neighbours of a handler that lasts {ARGS.stuck:g} s ({what}): latency of /plain at {STUCK_RATE:,} requests a second", LATENCIES + [("handler, s", "stuck_seconds", "{:.2f}"), ("server's CPU", "server_cpu", "{:.0%}")], rows)


def prepare():
    os.makedirs(ARGS.out, exist_ok=True)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    remembered = f"{ARGS.out}/classpath"
    if ARGS.classpath:
        open(remembered, "w").write(ARGS.classpath)
    elif os.path.exists(remembered):
        ARGS.classpath = open(remembered).read()
    else:
        sys.exit("run ./mvnw -Pblocking first, which knows the class path")
    for program in ("load", FLOOR):
        subprocess.run([ARGS.cc, "-O3", "-march=native", "-o", f"{ARGS.out}/{program}", f"{HERE}/{program}.c"], check=True)


def start_database():
    """Returns the process, or None if PostgreSQL isn't installed."""
    folder = f"{ARGS.out}/postgres"
    subprocess.run(["rm", "-rf", folder], check=True)
    os.makedirs(folder)
    log_file = open(f"{ARGS.out}/postgres.log", "wb")
    process = subprocess.Popen([ARGS.java, "-cp", ARGS.classpath, POSTGRES, folder, str(DATABASE_PORT)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log_file, text=True,
                               preexec_fn=lambda: child({1}, dies=False))  # it ends the database when its input ends
    if not process.stdout.readline().startswith("listening"):
        log(f"{' and '.join(sorted(DATABASE))} are skipped: PostgreSQL isn't installed or doesn't start; see {log_file.name}")
        process.kill()
        return None
    return process


def servers_of(names):
    """The servers, by name; other builds of Peregrine bring one that blocks and one on its loop."""
    builds = {"peregrine": ("", ARGS.flags)}
    for build in ARGS.build:
        name, _, rest = build.partition("=")
        path, _, flags = rest.partition(",")
        builds[name] = (path + ":", flags)
    all_names = [FLOOR] * (not ARGS.no_floor)
    for name in builds:
        all_names += [name, name + "-loop"]
    all_names += VARIANTS
    all_names += [s for s in SERVERS if not s.startswith("peregrine")]
    unknown = [n for n in names if n not in all_names]
    if unknown:
        sys.exit(f"no server is called {', '.join(unknown)}; there are {', '.join(all_names)}")
    servers = []
    for i, name in enumerate(all_names):
        if names and name not in names and name != FLOOR:
            continue
        build = name.removesuffix("-loop")
        path, flags = builds.get(build, ("", ""))
        kind = "peregrine" + name[len(build):] if build in builds else name
        if name in VARIANTS:
            kind, flags = "peregrine", VARIANTS[name] + " " + ARGS.flags
        servers.append(Server(name, FIRST_PORT + i, kind, path + ARGS.classpath, flags))
    return servers


def takes_part(server, workload):
    if server.kind == FLOOR:
        return workload != "neighbours"
    if server.kind in REACTIVE:
        return workload in DATABASE
    return not server.kind.endswith("-loop") or workload in ON_LOOP


def measure(servers, workloads, results):
    floor = next((s for s in servers if s.kind == FLOOR), None)
    for r in range(ARGS.rounds):
        for name in workloads:
            for i in range(len(servers)):
                server = servers[(i + r) % len(servers)]
                if not takes_part(server, name):
                    continue
                turns = [(f"neighbours/{how}", lambda how=how: neighbours(server, how)) for how in STUCK] if name == "neighbours" else [(f"{name}/closed", lambda: closed(server, floor, name))]
                if name != "neighbours" and WORKLOADS[name][1]:
                    turns.append((f"{name}/rated", lambda: rated(server, name)))
                for key, turn in turns:
                    with LOCK.turn():
                        j = turn()
                        if key == "sleep/closed" and r == 0 and server.kind != FLOOR:
                            j["live"] = live(server, name)
                    results.setdefault(key, {}).setdefault(server.name, []).append(j)
                    log(f"round {r + 1}", key, server.name, j.get("error") or f"÷ {j.get('ratio', 0):.2f} CPU {j['cpu_ns']:,.0f} ns p50 {j['p50']:,.0f} p99.9 {j['p999']:,.0f} longest {j['max']:,.0f} other {j.get('foreign', 0):.0%}")
                    json.dump(results, open(f"{ARGS.out}/results.json", "w"), indent=1)


def parse():
    every = list(WORKLOADS) + ["neighbours"]
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--workloads", default=",".join(every), help="of " + ", ".join(every))
    p.add_argument("--servers", default="", help="of " + ", ".join(SERVERS) + " and the builds; all by default")
    p.add_argument("--rounds", type=int, default=5)
    p.add_argument("--seconds", type=float, default=2.5, help="of each measurement")
    p.add_argument("--warm", type=float, default=15, help="seconds of CPU time that a VM is warmed for")
    p.add_argument("--stuck", type=float, default=5, help="seconds that the neighbours' handler lasts")
    p.add_argument("--flags", default="", help="more flags for Peregrine's VM, such as --flags='--add-opens java.base/java.lang=ALL-UNNAMED'")
    p.add_argument("--build", action="append", default=[], metavar="NAME=PATH[,FLAGS]", help="another build of Peregrine: its classes or jars (of parser and server), before the class path")
    p.add_argument("--no-floor", action="store_true", help="without the C floor")
    p.add_argument("--lock", help="a file to lock while measuring")
    p.add_argument("--nice", type=int, default=0, help="niceness of servers and generator; negative on a machine with other work, as root")
    p.add_argument("--cc", default="cc")
    p.add_argument("--java", default=os.path.join(os.environ.get("JAVA_HOME", ""), "bin/java") if os.environ.get("JAVA_HOME") else "java")
    p.add_argument("--classpath", default="", help="the one of the last run by default, with which Maven has started this program")
    p.add_argument("--out", default=os.path.join(HERE, "../../target/blocking"), help="folder for programs, logs, the database and results.json")
    return p.parse_args()


def main():
    global ARGS
    ARGS = parse()
    ARGS.out = os.path.abspath(ARGS.out)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("terminated"))
    workloads = [w for w in ARGS.workloads.split(",") if w]
    unknown = [w for w in workloads if w not in WORKLOADS and w != "neighbours"]
    if unknown:
        sys.exit(f"no workload is called {', '.join(unknown)}")
    prepare()
    servers = servers_of([s for s in ARGS.servers.split(",") if s])
    database, results, started = None, {}, []
    try:
        if DATABASE & set(workloads):
            database = start_database()
            workloads = [w for w in workloads if w not in DATABASE or database]
        for server in servers:
            if not any(takes_part(server, w) for w in workloads):
                continue
            with LOCK.turn():
                try:
                    server.start()
                    server.warm([w for w in workloads if w in WORKLOADS and takes_part(server, w)] or ["plain"])
                    started.append(server)
                    server.process.send_signal(signal.SIGSTOP)
                    log(server.name, "is warm")
                except RuntimeError as failure:
                    log(failure, "; it is left out")
                    server.stop()
        measure(started, workloads, results)
    finally:
        LOCK.release()
        for server in servers:
            server.stop()
        if database:
            database.stdin.close()
            database.wait(30)
    report(results)


if __name__ == "__main__":
    main()
