"""Servers in turn on one processor, their client on the other. Used by spring.py, grpc.py and memory.py.

All servers are started and warmed with both processors, then pinned to processor 1, stopped by SIGSTOP, and continued for
their own turns only, in interleaved rounds. Figures are CPU time of the process for each request (user + system, by
/proc/PID/stat), so they hardly depend on who waits for whom. The client runs on processor 0.
"""
import json, os, re, shlex, signal, socket, statistics, subprocess, sys, time

HZ = os.sysconf("SC_CLK_TCK")
SERVER, CLIENT = 1, 0


def pin(pid, cpus):
    for t in os.listdir(f"/proc/{pid}/task"):
        try:
            os.sched_setaffinity(int(t), cpus)
        except OSError:
            pass


class Server:
    def __init__(self, name, command, port, probe="/text", out=None, cpus=(0, 1), env=None):
        """probe: a path that is requested until its status is 200, or None for a port that accepts, or a text of the output."""
        self.name, self.port, self.log = name, port, open(out or os.devnull, "wb+")
        self.begin = time.perf_counter()
        self.process = subprocess.Popen(shlex.split(command), stdin=subprocess.DEVNULL, stdout=self.log, stderr=subprocess.STDOUT,
                                        start_new_session=True, env=dict(os.environ, **(env or {})), preexec_fn=lambda: os.sched_setaffinity(0, set(cpus)))
        self.pid = self.process.pid
        while True:
            if self.process.poll() is not None or time.perf_counter() - self.begin > 40:
                self.end()
                raise RuntimeError(f"{name} doesn't start: {command}")
            if self.answers(probe):
                break
            time.sleep(0.002)
        self.first = (time.perf_counter() - self.begin) * 1000

    def answers(self, probe):
        if probe and not probe.startswith("/"):
            self.log.seek(0)
            return probe.encode() in self.log.read()
        try:
            with socket.create_connection(("127.0.0.1", self.port), 5) as s:
                if probe is None:
                    return True
                s.settimeout(5)
                s.sendall(f"GET {probe} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".encode())
                return s.recv(1000).startswith(b"HTTP/1.1 200")
        except OSError:
            return False

    def cpu(self):
        f = open(f"/proc/{self.pid}/stat").read().rsplit(")", 1)[1].split()
        return int(f[11]) / HZ, int(f[12]) / HZ

    def resident(self):
        return int(re.search(r"VmRSS:\s+(\d+)", open(f"/proc/{self.pid}/status").read()).group(1)) / 1024

    def live(self):
        """MiB of live objects after a full collection."""
        jcmd = os.path.join(os.environ["JAVA_HOME"], "bin/jcmd")
        o = subprocess.run([jcmd, str(self.pid), "GC.class_histogram"], capture_output=True, text=True, timeout=60).stdout
        return int(re.search(r"^Total\s+\d+\s+(\d+)", o, re.M).group(1)) / 2**20

    def pin(self):
        pin(self.pid, {SERVER})

    def stop(self):
        os.kill(self.pid, signal.SIGSTOP)

    def go(self):
        os.kill(self.pid, signal.SIGCONT)
        time.sleep(0.1)

    def end(self):
        if self.process.poll() is None:
            os.kill(self.pid, signal.SIGCONT)
            self.process.terminate()
            try:
                self.process.wait(3)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()


def client(command, timeout):
    return subprocess.run(["taskset", "-c", str(CLIENT)] + shlex.split(command), capture_output=True, text=True, timeout=timeout)


def wrk(port, path, seconds, connections=64):
    o = client(f"wrk -t1 -c{connections} -d{seconds}s http://127.0.0.1:{port}{path}", seconds + 20).stdout
    errors = re.findall(r"(?:Socket errors|Non-2xx).*", o)
    return int(re.search(r"(\d+) requests in", o).group(1)), errors


def blast(program, port, arguments, seconds):
    r = client(f"{program} -p {port} {arguments} -t {seconds}", seconds + 40)
    try:
        j = json.loads(r.stdout.strip().splitlines()[-1])
    except (IndexError, ValueError):
        j = {"error": r.stderr[-200:]}
    if "error" in j:
        return 0, [j["error"] + r.stderr[-200:]]
    return j["requests"], ([f"{j['errors']} errors {r.stderr[:200]}"] if j["errors"] else [])


def turn(server, load, seconds):
    """CPU µs for each request, of it in the system, requests a second, errors."""
    server.go()
    load(server, 0.3)
    a, t = server.cpu(), time.perf_counter()
    n, errors = load(server, seconds)
    b, t = server.cpu(), time.perf_counter() - t
    server.stop()
    if not n:
        return {"errors": errors or ["no requests"]}
    used = b[0] - a[0] + b[1] - a[1]
    return {"us": used * 1e6 / n, "system": (b[1] - a[1]) * 1e6 / n, "rate": n / t, "busy": used / t, "errors": errors}


def rounds(servers, workloads, count, seconds, raw, skip=lambda server, workload: False):
    """workloads: name → function of server and seconds. Returns {workload: {server: [turns]}}."""
    results = {w: {s.name: [] for s in servers} for w in workloads}
    for r in range(count):
        for w, load in workloads.items():
            for s in servers:
                if not skip(s, w):
                    t = turn(s, load, seconds)
                    results[w][s.name].append(t)
                    print(json.dumps({"round": r, "workload": w, "server": s.name, **t}), file=raw, flush=True)
    return results


def middle(turns, key="us"):
    v = [t[key] for t in turns if key in t]
    return statistics.median(v) if v else None


def show(v, digits=1):
    return "" if v is None else f"{v:,.{digits}f}"


def machine():
    cpu = re.search(r"model name\s*:\s*(.*)", open("/proc/cpuinfo").read()).group(1)
    return f"{cpu}, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}"
