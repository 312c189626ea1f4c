#!/usr/bin/env python3
"""HTTP servers side by side: ../README.md says how to build them, and how this measures.

Servers run on CPU 0 (taskset, whole process tree), the load generator `blast` on CPU 1. All
servers are started and warmed once, then frozen (SIGSTOP) and thawed only for their own turns, in
interleaved rounds A B C ... A B C ...
"""
import argparse, datetime, fcntl, json, os, resource, shlex, signal, statistics, subprocess, sys, tempfile, time, tomllib
from contextlib import contextmanager

HERE = os.path.dirname(os.path.abspath(__file__))
BUILD = os.environ.get("PEERS_BUILD", os.path.expanduser("~/.cache/peregrine-bench"))


def find_jdk(least=25):
    """$JAVA_HOME, which must be a JDK of at least that version"""
    home = os.environ.get("JAVA_HOME", "")
    try:
        version = int(open(f"{home}/release").read().split('JAVA_VERSION="')[1].split(".")[0].split('"')[0])
    except (OSError, IndexError, ValueError):
        version = 0
    return home if version >= least else sys.exit(f"JAVA_HOME isn't a JDK {least}")


HZ = os.sysconf("SC_CLK_TCK")
SERVER_CPU, CLIENT_CPU = 0, 1

# the other fields of a browser's request: blast -H, once for each
BROWSER = [x for field in (
    "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
    "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
    "Accept-Language: en-US,en;q=0.5",
    "Accept-Encoding: gzip, deflate, br, zstd",
    "Referer: http://localhost/catalogue/tents?sort=price&page=3",
    "Cookie: session=4f1c9a6b2e8d4c0fa3b7; theme=dark; consent=necessary",
    "Upgrade-Insecure-Requests: 1",
    "Sec-Fetch-Dest: document",
    "Sec-Fetch-Mode: navigate",
    "Sec-Fetch-Site: same-origin",
) for x in ("-H", field)]

# name -> blast arguments, seconds
WORKLOADS = {
    "plain16-64": (["-P", "/plaintext", "-d", "16", "-c", "64"], 3.0),
    "plain1-64": (["-P", "/plaintext", "-d", "1", "-c", "64"], 2.5),
    "plain1-256": (["-P", "/plaintext", "-d", "1", "-c", "256"], 2.5),
    "json1-64": (["-P", "/json", "-d", "1", "-c", "64"], 2.5),
    "plain1-4096": (["-P", "/plaintext", "-d", "1", "-c", "4096"], 2.5),
    "browser1-64": (["-P", "/plaintext", "-d", "1", "-c", "64", *BROWSER], 2.5),
    "browser16-64": (["-P", "/plaintext", "-d", "16", "-c", "64", *BROWSER], 3.0),
    "plain16-256": (["-P", "/plaintext", "-d", "16", "-c", "256"], 3.0),
    "json16-64": (["-P", "/json", "-d", "16", "-c", "64"], 3.0),
    "echo-1k": (["-P", "/echo", "-b", "1024", "-d", "1", "-c", "64"], 2.5),
    "echo-64k": (["-P", "/echo", "-b", "65536", "-d", "1", "-c", "32"], 2.5),
    "echo-1m": (["-P", "/echo", "-b", "1048576", "-d", "1", "-c", "8"], 2.5),
    # TLS 1.3 with blast2 (peers2.toml)
    "tls1-64": (["@tls", "-d", "1", "-c", "64"], 2.5),
    "tls16-64": (["@tls", "-d", "16", "-c", "64"], 2.5),
    "tls-64k": (["@tls", "-P", "/64k", "-c", "32"], 2.5),
    "tls-1m": (["@tls", "-P", "/1m", "-c", "8"], 2.5),
    "tls-handshake": (["@tls", "-m", "hs", "-c", "16"], 3.0),
    "tls-resume": (["@tls", "-m", "hs", "-r", "-c", "16"], 3.0),
    # WebSocket echo: messages in flight on each of 64 connections - bytes
    "ws1-32": (["@clear", "-m", "ws", "-b", "32", "-d", "1", "-c", "64"], 2.5),
    "ws16-32": (["@clear", "-m", "ws", "-b", "32", "-d", "16", "-c", "64"], 2.5),
    "ws1-1k": (["@clear", "-m", "ws", "-b", "1024", "-d", "1", "-c", "64", "-T"], 2.5),
    "ws16-1k": (["@clear", "-m", "ws", "-b", "1024", "-d", "16", "-c", "64", "-T"], 2.5),
    "ws1-64k": (["@clear", "-m", "ws", "-b", "65536", "-d", "1", "-c", "64"], 2.5),
    "ws16-64k": (["@clear", "-m", "ws", "-b", "65536", "-d", "16", "-c", "64"], 2.5),
}
# HTTP/2: streams in flight x connections, cleartext with prior knowledge (h2c) and over TLS (h2s)
for _k, _p in (("h2c", "@h2c"), ("h2s", "@tls")):
    WORKLOADS |= {
        f"{_k}-1x64": ([_p, "-m", "h2", "-d", "1", "-c", "64"], 2.5),
        f"{_k}-16x64": ([_p, "-m", "h2", "-d", "16", "-c", "64"], 2.5),
        f"{_k}-100x1": ([_p, "-m", "h2", "-d", "100", "-c", "1"], 2.5),
        f"{_k}-64k": ([_p, "-m", "h2", "-P", "/64k", "-d", "4", "-c", "16"], 2.5),
        f"{_k}-echo64k": ([_p, "-m", "h2", "-P", "/echo", "-b", "65536", "-d", "4", "-c", "16"], 2.5),
    }
DEFAULT = ["plain16-64", "plain1-64", "plain1-256", "json1-64"]


def log(*a):
    print(time.strftime("%H:%M:%S"), *a, file=sys.stderr, flush=True)


class Lock:
    """bench.lock in the temporary folder, kept over several turns and given up for a moment after ARGS.slice seconds, so that others get theirs"""
    f, since = None, 0

    def acquire(self):
        if self.f is None:
            self.f = open(os.path.join(tempfile.gettempdir(), "bench.lock"), "a")
            t = time.time()
            fcntl.flock(self.f, fcntl.LOCK_EX)
            self.since = time.time()
            if self.since - t > 1:
                log(f"waited {self.since - t:.0f} s for the lock")

    def release(self):
        if self.f is not None:
            self.f.close()
            self.f = None

    def turn_over(self):
        if time.time() - self.since > ARGS.slice:
            self.release()
            time.sleep(0.2)


LOCK = Lock()


@contextmanager
def bench_lock():
    if ARGS.no_lock:
        yield
        return
    LOCK.acquire()
    try:
        yield
    finally:
        LOCK.turn_over()


def generator(s, args):
    """the command of blast; of blast2 where ARGS start with the port it goes to: @clear, @tls (the next one), @h2c"""
    if not args[0].startswith("@"):
        return [ARGS.blast, "-p", str(s.port)] + args
    off = {"@clear": 0, "@tls": 1, "@h2c": s.spec.get("h2c", 0)}[args[0]]
    return [ARGS.blast + "2", "-p", str(s.port + off)] + ["-s"] * (args[0] == "@tls") + args[1:]


def raise_nofile():
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (200000, 200000))
    except ValueError:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def stat_fields(pid):
    with open(f"/proc/{pid}/stat") as f:
        s = f.read()
    return s[s.rindex(")") + 2:].split()


class Server:
    def __init__(self, name, spec, d):
        self.name, self.spec, self.port = name, spec, spec["port"] + ARGS.port_offset
        self.java_home = find_jdk()
        java = f"{self.java_home}/bin/java {d['java_flags']}"
        cmd = spec["cmd"].replace("{java}", java).replace("{build}", BUILD).replace("{project}", os.path.abspath(ARGS.project)).replace("{here}", HERE).replace("{port}", str(self.port)).replace("{port1}", str(self.port + 1))
        self.cmd = shlex.split(cmd)
        self.jvm = "{java}" in spec["cmd"]
        self.proc = None
        self.error = None

    def start(self):
        def pre():
            raise_nofile()
            # JVMs may compile on both CPUs until they are warm (-XX:ActiveProcessorCount=1 keeps their sizing that of one CPU)
            os.sched_setaffinity(0, {SERVER_CPU, CLIENT_CPU} if self.jvm else {SERVER_CPU})
            if ARGS.nice:
                os.nice(ARGS.nice)
        env = dict(os.environ, **self.spec.get("env", {}))
        self.out = open(f"{ARGS.raw}/{self.name}.log", "wb")
        self.proc = subprocess.Popen(self.cmd, stdin=subprocess.DEVNULL, stdout=self.out, stderr=subprocess.STDOUT, env=env, preexec_fn=pre, start_new_session=True)
        end = time.time() + 20
        err = ""
        while time.time() < end:
            if self.proc.poll() is not None:
                self.error = f"exited with {self.proc.returncode} at start"
                return False
            r = subprocess.run(generator(self, shlex.split(self.spec.get("probe", "")) + ["-1"]), capture_output=True, text=True)
            if r.returncode == 0:
                self.sample = r.stderr
                return True
            err = r.stdout.strip()
            time.sleep(0.3)
        self.error = f"no usable answer within 20 s: {err}"
        return False

    def pids(self):
        """the process group that this harness started (start_new_session), children included"""
        out = []
        for p in os.listdir("/proc"):
            if p.isdigit():
                try:
                    if int(stat_fields(p)[3]) == self.proc.pid:  # session id
                        out.append(int(p))
                except OSError:
                    pass
        return out

    def pin(self):
        for p in self.pids():
            for t in os.listdir(f"/proc/{p}/task"):
                try:
                    os.sched_setaffinity(int(t), {SERVER_CPU})
                except OSError:
                    pass

    def cpu(self):
        u = s = 0
        for p in self.pids():
            try:
                f = stat_fields(p)
                u += int(f[11])
                s += int(f[12])
            except OSError:
                pass
        return u / HZ, s / HZ

    def mem(self, key="VmRSS"):
        t = 0
        for p in self.pids():
            try:
                for line in open(f"/proc/{p}/status"):
                    if line.startswith(key + ":"):
                        t += int(line.split()[1])
            except OSError:
                pass
        return t  # KiB

    def sig(self, s):
        try:
            os.killpg(self.proc.pid, s)
        except ProcessLookupError:
            pass

    def thaw(self):
        self.sig(signal.SIGCONT)
        time.sleep(0.15)

    def freeze(self):
        time.sleep(0.2)  # let it see the closed connections
        if not ARGS.no_freeze:
            self.sig(signal.SIGSTOP)

    def stop(self):
        if self.proc and self.proc.poll() is None:
            self.sig(signal.SIGCONT)
            self.sig(signal.SIGTERM)
            try:
                self.proc.wait(5)
            except subprocess.TimeoutExpired:
                self.sig(signal.SIGKILL)
                self.proc.wait(5)

    def live_heap(self):
        """bytes live after a full collection (JVM only)"""
        try:
            r = subprocess.run([f"{self.java_home}/bin/jcmd", str(self.proc.pid), "GC.class_histogram"], capture_output=True, text=True, timeout=60)
            for line in reversed(r.stdout.splitlines()):
                if line.startswith("Total"):
                    return int(line.split()[2])
        except (subprocess.TimeoutExpired, ValueError, IndexError):
            pass
        return None


def cpu_jiffies():
    r = {}
    for line in open("/proc/stat"):
        f = line.split()
        if f[0] in ("cpu0", "cpu1"):
            v = list(map(int, f[1:9]))
            r[int(f[0][3])] = (sum(v[:3]) + v[5] + v[6], v[7])  # busy without steal, steal
    return r


def blast(s, args, secs, warm=0.0):
    def pre():
        os.sched_setaffinity(0, {CLIENT_CPU})
        if ARGS.nice:
            os.nice(ARGS.nice)
    cmd = generator(s, args) + ["-t", str(secs), "-w", str(warm)] + ([] if ARGS.sleepy else ["-S"])
    try:
        r = subprocess.run(cmd, capture_output=True, text=True, preexec_fn=pre, timeout=secs + warm + 40)
    except subprocess.TimeoutExpired:
        return {"error": "load generator timed out"}
    try:
        j = json.loads(r.stdout.strip().splitlines()[-1])
    except (IndexError, ValueError):
        return {"error": f"blast exited with {r.returncode}: {r.stderr[-200:]}"}
    if r.stderr.strip():
        j["stderr"] = r.stderr[:400]
    return j


def one(s, wl, ref=None):
    args, secs = WORKLOADS[wl]
    secs *= ARGS.scale
    ref_ns = None
    if ref is not None and not any(wl.startswith(k) for k in ref.spec.get("skip", [])):
        c0 = sum(ref.cpu())
        j = blast(ref, args, 0.7)
        if j.get("requests"):
            ref_ns = (sum(ref.cpu()) - c0) * 1e9 / j["requests"]
    blast(s, args, 0.3)  # connections, caches
    j0, c0, t0 = cpu_jiffies(), s.cpu(), time.time()
    j = blast(s, args, secs)
    c1, j1, t1 = s.cpu(), cpu_jiffies(), time.time()
    if "error" in j or not j.get("requests"):
        return {"error": j.get("error", "no requests")}
    u, k = c1[0] - c0[0], c1[1] - c0[1]
    n, wall = j["requests"], t1 - t0
    j.update(user_ns=u * 1e9 / n, sys_ns=k * 1e9 / n, cpu_ns=(u + k) * 1e9 / n, server_cpu=(u + k) / j["seconds"],
             rss_peak_mb=s.mem("VmHWM") / 1024, rss_mb=s.mem() / 1024,
             **({"ref_ns": ref_ns, "cpu_ratio": (u + k) * 1e9 / n / ref_ns} if ref_ns else {}),
             # what else ran on the two CPUs meanwhile, and what the hypervisor took
             foreign0=max(0.0, (j1[0][0] - j0[0][0]) / HZ - (u + k)) / wall,
             foreign1=max(0.0, (j1[1][0] - j0[1][0]) / HZ - j["client_cpu"] * j["seconds"]) / wall,
             steal=(j1[0][1] - j0[0][1] + j1[1][1] - j0[1][1]) / HZ / wall)
    return j


def idle(s, n):
    """RSS per idle keep-alive connection"""
    s.thaw()
    blast(s, ["-P", "/plaintext", "-d", "1", "-c", "64"], 1.0)
    time.sleep(0.5)
    h0 = s.live_heap() if s.jvm else None
    r0 = s.mem()
    p = subprocess.Popen([ARGS.blast, "-p", str(s.port), "-i", "-c", str(n)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                         preexec_fn=lambda: (os.sched_setaffinity(0, {CLIENT_CPU}), raise_nofile()))
    try:
        line = p.stdout.readline()
        j = json.loads(line) if line else {"error": "blast died"}
        time.sleep(1.0)
        r1 = s.mem()
        h1 = s.live_heap() if s.jvm else None
        out, _ = p.communicate(timeout=30)
        if out.strip():
            j.update(json.loads(out.strip().splitlines()[-1]))
    except (subprocess.TimeoutExpired, ValueError) as e:
        p.kill()
        p.wait()
        return {"error": f"idle: {e}"}
    j.update(rss0_kb=r0, rss1_kb=r1, rss_per_conn=(r1 - r0) * 1024 / n)
    if h0 is not None and h1 is not None:
        j.update(heap_per_conn=(h1 - h0) / n)
    s.freeze()
    return j


def med(rs, k):
    v = [r[k] for r in rs if k in r]
    return statistics.median(v) if v else None


def overview(data, base):
    """one row per server: best and median round of each workload"""
    wls = [w for w in data["workloads"] if any(w in p["rounds"] for p in data["peers"].values())]
    if not wls:
        return ""
    good = lambda p, wl: [r for r in p["rounds"].get(wl, []) if "error" not in r]
    floor = {wl: min((r["cpu_ns"] for r in good(data["peers"].get(base, {"rounds": {}}), wl)), default=0) for wl in wls}
    out = ["### overview: CPU ns/req of the best round (user+sys), ÷ best round of " + base + ", and req/s of the best round\n",
           "| server | " + " | ".join(wls) + " |", "|---|" + "--:|" * len(wls)]
    rows = []
    for n, p in data["peers"].items():
        cells, key = [], None
        for wl in wls:
            rs = good(p, wl)
            if not rs:
                cells.append("-")
                continue
            b = min(rs, key=lambda r: r["cpu_ns"])
            key = key or b["cpu_ns"]
            cells.append(f"{b['cpu_ns']:,.0f} ({b['user_ns']:,.0f}+{b['sys_ns']:,.0f}) ×{b['cpu_ns'] / floor[wl] if floor[wl] else 0:.1f}, {max(r['rps'] for r in rs) / 1000:,.0f}k/s")
        if key:
            rows.append((key, f"| {n} | " + " | ".join(cells) + " |"))
    return "\n".join(out + [r for _, r in sorted(rows)]) + "\n"


def tables(data, base):
    out = [overview(data, base)]
    w = out.append
    for wl in data["workloads"]:
        rows = [(n, p["rounds"].get(wl, [])) for n, p in data["peers"].items()]
        good = [(n, [r for r in rs if "error" not in r]) for n, rs in rows]
        good = [(n, rs) for n, rs in good if rs]
        if not good:
            continue
        b = dict(good).get(base)
        bc = med(b, "cpu_ns") if b else None
        br = med(b, "rps") if b else None
        w(f"\n### {wl}   (`blast {' '.join(WORKLOADS[wl][0])}`, {WORKLOADS[wl][1] * data.get('scale', 1):g} s, medians of {max(len(r) for _, r in good)} rounds)\n")
        w("| server | req/s | CPU ns/req | user | sys | CPU ÷ base | req/s ÷ base | 1e9/CPU ns | p50 µs | p99 µs | server CPU | client CPU | RSS peak MiB | CPU ns min–max | foreign CPU0/CPU1/steal | err |")
        w("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
        good.sort(key=lambda x: med(x[1], "cpu_ns"))
        for n, rs in good:
            m = lambda k: med(rs, k)
            w(f"| {n} | {m('rps'):,.0f} | {m('cpu_ns'):,.0f} | {m('user_ns'):,.0f} | {m('sys_ns'):,.0f} | {(med(rs, 'cpu_ratio') or (m('cpu_ns') / bc if bc else 0)):.2f} | {m('rps') / br if br else 0:.2f} | {1e9 / m('cpu_ns'):,.0f} | {m('p50_us'):,.0f} | {m('p99_us'):,.0f} | {m('server_cpu') * 100:.0f}% | {m('client_cpu') * 100:.0f}% | {m('rss_peak_mb'):.0f} | {min(r['cpu_ns'] for r in rs):,.0f}–{max(r['cpu_ns'] for r in rs):,.0f} | {m('foreign0') * 100:.0f}/{m('foreign1') * 100:.0f}/{m('steal') * 100:.0f}% | {sum(r['errors'] for r in rs)} |")
        bad = [(n, rs[0]["error"]) for n, rs in rows if rs and all("error" in r for r in rs)]
        for n, e in bad:
            w(f"\n{n} failed: {e}")
    if any("idle" in p for p in data["peers"].values()):
        w("\n### idle keep-alive connections\n")
        w("| server | connections | RSS before MiB | RSS with MiB | RSS bytes/conn | live heap bytes/conn (JVM, after full GC) | not served | closed by server |")
        w("|---|--:|--:|--:|--:|--:|--:|--:|")
        for n, p in sorted(data["peers"].items(), key=lambda x: x[1].get("idle", {}).get("rss_per_conn", 1e18)):
            i = p.get("idle")
            if not i:
                continue
            if "rss_per_conn" not in i:
                w(f"| {n} | failed: {i.get('error')} | | | | | | |")
                continue
            w(f"| {n} | {i['idle']:,} | {i['rss0_kb'] / 1024:.0f} | {i['rss1_kb'] / 1024:.0f} | {i['rss_per_conn']:,.0f} | {format(i['heap_per_conn'], ',.0f') if 'heap_per_conn' in i else '-'} | {i.get('bad', 0)} | {i.get('closed', 0)} |")
    return "\n".join(out)


def main():
    global ARGS
    ap = argparse.ArgumentParser()
    ap.add_argument("--project", default=".", help="checkout of the project: {project} in a command")
    ap.add_argument("--config", default=f"{HERE}/peers.toml")
    ap.add_argument("--only", help="comma-separated names")
    ap.add_argument("--before", metavar="JAR", help="another build of the project's jar: the server `before`")
    ap.add_argument("--skip", default="")
    ap.add_argument("--workloads", default=",".join(DEFAULT), help=f"of: {', '.join(WORKLOADS)}")
    ap.add_argument("--rounds", type=int, default=3)
    ap.add_argument("--warm", type=float, default=20, help="CPU seconds of warm-up per server (JVMs; others a quarter)")
    ap.add_argument("--scale", type=float, default=1, help="factor on the seconds per measurement")
    ap.add_argument("--idle", type=int, default=0, metavar="N", help="also hold N idle connections and report the memory of each")
    ap.add_argument("--baseline")
    ap.add_argument("--paired", action="store_true", help="measure the baseline (0.7 s) right before every measurement and report the median ratio: steadier on a machine whose speed drifts")
    ap.add_argument("--retry", type=int, default=1, help="repeat a measurement this often while other processes took over 10%% of a CPU")
    ap.add_argument("--slice", type=float, default=120, help="seconds after which the lock is offered to others")
    ap.add_argument("--no-lock", action="store_true", help="only for what is not a timing, e.g. --rounds 0 --idle N --nice 19")
    ap.add_argument("--port-offset", type=int, default=0, help="added to every port (not to nginx.conf)")
    ap.add_argument("--nice", type=int, default=-10, help="nice value of servers and load generator")
    ap.add_argument("--no-freeze", action="store_true", help="do not SIGSTOP the servers whose turn it is not")
    ap.add_argument("--sleepy", action="store_true", help="let the load generator sleep when it waits: servers then pay for waking it")
    ap.add_argument("--blast", default=f"{BUILD}/bin/blast")
    ap.add_argument("--raw", default=f"{BUILD}/results", help="folder for server logs and raw JSON")
    ap.add_argument("--json", help="where the raw result goes (default RAW/DATE.json)")
    ap.add_argument("--md", help="write the tables there")
    ap.add_argument("--render", nargs="+", metavar="JSON", help="only render tables from raw results (several are merged)")
    ARGS = ap.parse_args()
    signal.signal(signal.SIGTERM, lambda *a: sys.exit("terminated"))
    signal.signal(signal.SIGINT, lambda *a: sys.exit("interrupted"))
    conf = tomllib.load(open(ARGS.config, "rb"))
    base = ARGS.baseline or conf["defaults"]["baseline"]
    if ARGS.render:
        data = None
        for f in ARGS.render:
            d = json.load(open(f))
            if data is None:
                data = d
                continue
            data["workloads"] += [x for x in d["workloads"] if x not in data["workloads"]]
            for n, p in d["peers"].items():
                q = data["peers"].setdefault(n, p)
                if q is not p:
                    for wl, rs in p["rounds"].items():
                        q["rounds"].setdefault(wl, []).extend(rs)
                    q.update({k: v for k, v in p.items() if k == "idle"})
        print(tables(data, base))
        return
    if ARGS.before:
        own = conf["peers"]["peregrine"]
        jar = "{project}/server-examples/target/peregrine.jar"
        conf["peers"]["before"] = dict(own, cmd=own["cmd"].replace(jar, os.path.abspath(ARGS.before)), port=own["port"] + 50)
    os.makedirs(ARGS.raw, exist_ok=True)
    names = list(conf["peers"]) if not ARGS.only else [n for n in ARGS.only.split(",") if n]
    names = [n for n in names if n not in ARGS.skip.split(",")]
    unknown = [n for n in names if n not in conf["peers"]]
    if unknown:
        sys.exit(f"not in {ARGS.config}: {unknown}")
    wls = [x for x in ARGS.workloads.split(",") if x]
    if [x for x in wls if x not in WORKLOADS]:
        sys.exit(f"workloads: {', '.join(WORKLOADS)}")
    data = {"date": datetime.datetime.now().isoformat(timespec="seconds"), "argv": sys.argv[1:], "workloads": wls, "scale": ARGS.scale, "java_flags": conf["defaults"]["java_flags"], "peers": {}}
    path = ARGS.json or f"{ARGS.raw}/{time.strftime('%Y%m%d-%H%M%S')}.json"
    servers = []
    try:
        for n in names:
            s = Server(n, conf["peers"][n], conf["defaults"])
            p = data["peers"][n] = {"rounds": {}, "cmd": " ".join(s.cmd)}
            mine = [x for x in wls if not any(x.startswith(k) for k in s.spec.get("skip", []))]
            if not mine and not ARGS.idle:
                continue
            with bench_lock():
                ok = s.start()
                if ok:
                    servers.append((s, mine))
                    p["sample"] = s.sample
                    warm = ARGS.warm if s.jvm else ARGS.warm / 4
                    # until the server itself has burnt that much CPU time, so that a busy machine does not shorten it
                    end = time.time() + 2.5 * warm
                    for i, x in enumerate(mine):
                        want = warm * (i + 1) / len(mine)
                        while sum(s.cpu()) < want and time.time() < end:
                            if "error" in blast(s, WORKLOADS[x][0], max(0.3, min(3.0, want - sum(s.cpu())))):
                                break
                    s.pin()
                    s.freeze()
                else:
                    p["error"] = s.error
                    s.stop()
            log(n, "warmed" if ok else f"FAILED: {s.error}")
            if ok and ARGS.idle and not ARGS.rounds:  # one after the other
                with bench_lock():
                    p["idle"] = i = idle(s, ARGS.idle)
                    s.stop()
                servers.pop()
                log("idle", n, i)
                json.dump(data, open(path, "w"), indent=1)
        ref = next((s for s, _ in servers if s.name == base), None) if ARGS.paired else None
        if ARGS.paired and ref is None:
            sys.exit(f"--paired needs the baseline {base} among the servers")
        for r in range(ARGS.rounds):
            for s, mine in servers:
                p = data["peers"][s.name]
                line = []
                with bench_lock():
                    s.thaw()
                    if ref is not None and ref is not s:
                        ref.thaw()
                    for wl in mine:
                        best = None
                        for _ in range(1 + ARGS.retry):
                            j = one(s, wl, ref if ref is not s else None)
                            if best is None or "error" in best or ("error" not in j and j["foreign0"] + j["foreign1"] + j["steal"] < best["foreign0"] + best["foreign1"] + best["steal"]):
                                best = j
                            if "error" in j or max(j["foreign0"], j["foreign1"], j["steal"]) < 0.10:
                                break
                        p["rounds"].setdefault(wl, []).append(best)
                        if ref is not None and ref is not s and "cpu_ratio" in best:
                            line.append(f"×{best['cpu_ratio']:.2f}")
                        line.append(f"{wl} " + (best["error"][:60] if "error" in best else f"{best['rps']:,.0f}/s {best['cpu_ns']:,.0f}ns f{best['foreign0'] * 100:.0f}/{best['foreign1'] * 100:.0f}% st{best['steal'] * 100:.0f}%"))
                    if ref is not None and ref is not s:
                        ref.freeze()
                    s.freeze()
                log(f"round {r + 1}", s.name, "; ".join(line))
                json.dump(data, open(path, "w"), indent=1)
            json.dump(data, open(path, "w"), indent=1)
        if ARGS.idle:
            for s, _ in servers:
                with bench_lock():
                    data["peers"][s.name]["idle"] = i = idle(s, ARGS.idle)
                    s.stop()
                log("idle", s.name, i)
            json.dump(data, open(path, "w"), indent=1)
    finally:
        LOCK.release()
        for s, _ in servers:
            s.stop()
    t = tables(data, base)
    print(t)
    if ARGS.md:
        open(ARGS.md, "w").write(t + "\n")
    log("raw:", path)


if __name__ == "__main__":
    main()
