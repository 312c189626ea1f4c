// Load generator for HTTP/1.1 servers on this machine: one thread, one epoll. In a closed loop (the
// next batch follows the last response) or at a constant rate, where a latency counts from the time
// when the request was due.
//
// It polls instead of sleeping, so that servers don't spend time on waking it; with -z it sleeps,
// so that others can run on its processor. With -s it is also the service that handlers ask, so
// that the service neither competes with the generator nor has to be woken.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { EVENTS = 512, HEAD_MAX = 16384, ASK_BYTES = 16, REPLY_BYTES = 32, STATUS_BYTES = 13 };
enum kind { CLIENT, STUCK, LISTENER, SERVICE };

struct conn {
  enum kind kind;
  int fd;
  size_t sent, got; // bytes of the batch
  int64_t due;      // nanoseconds
};

static int port = 8080, service, conns = 64, depth = 1, naps, rate;
static double seconds = 2;
static pid_t pid;
static const char *path = "/plain", *stuck_path, *expected;

static int ep;
static char batch[1 << 16], stuck_request[512];
static size_t batch_len, request_len, response_len;
static char buffer[1 << 18], head[HEAD_MAX];
static struct conn *clients, **idle, stuck = {.kind = STUCK, .fd = -1};
static size_t idle_first, idle_count;
static long long sent, answered, errors;
static double stuck_seconds = -1;

static void fail(const char *what) {
  printf("{\"error\":\"%s: %s\"}\n", what, errno ? strerror(errno) : "");
  exit(1);
}

static int64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

// Latencies: buckets at most 1/32 of their time wide.
static long long buckets[64 * 32], recorded;
static int64_t longest;

static void record(int64_t nanos) {
  if (nanos < 0) nanos = 0;
  int shift = nanos < 32 ? 0 : 63 - __builtin_clzll((uint64_t)nanos) - 5;
  buckets[nanos < 32 ? nanos : (shift << 5) + (nanos >> shift)]++;
  recorded++;
  if (nanos > longest) longest = nanos;
}

static double micros_at(double part) {
  long long seen = 0;
  for (int i = 0; i < 64 * 32; i++) {
    seen += buckets[i];
    if (seen > 0 && seen >= part * (double)recorded) {
      int shift = i < 32 ? 0 : (i >> 5) - 1;
      int64_t last = i < 32 ? i : (((int64_t)(i - (shift << 5)) + 1) << shift) - 1;
      return (double)(last < longest ? last : longest) / 1e3;
    }
  }
  return 0;
}

static void interest(struct conn *c, int op, uint32_t events) {
  struct epoll_event e = {.events = events, .data.ptr = c};
  if (epoll_ctl(ep, op, c->fd, &e)) fail("epoll_ctl");
}

static struct sockaddr_in loopback(int at) {
  return (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons((uint16_t)at), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

static void add(struct conn *c, int fd) {
  int one = 1;
  c->fd = fd;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  fcntl(fd, F_SETFL, O_NONBLOCK);
  interest(c, EPOLL_CTL_ADD, EPOLLIN);
}

static void dial(struct conn *c) {
  struct sockaddr_in to = loopback(port);
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  if (fd < 0 || connect(fd, (struct sockaddr *)&to, sizeof to)) fail("connect");
  add(c, fd);
}

static void listen_for_handlers(void) {
  static struct conn listener = {.kind = LISTENER};
  struct sockaddr_in at = loopback(service);
  int one = 1, fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  if (bind(fd, (struct sockaddr *)&at, sizeof at) || listen(fd, 4096)) fail("service");
  listener.fd = fd;
  interest(&listener, EPOLL_CTL_ADD, EPOLLIN);
}

// Handlers send ASK_BYTES and wait for REPLY_BYTES. A small message arrives whole on loopback.
static void serve(struct conn *c) {
  static char reply[REPLY_BYTES] = "Hello, World! says the service\r\n";
  ssize_t n = recv(c->fd, buffer, ASK_BYTES, 0);
  if (n == ASK_BYTES) {
    if (send(c->fd, reply, sizeof reply, MSG_NOSIGNAL) != REPLY_BYTES) errors++;
  } else if (n == 0 || (n < 0 && errno != EAGAIN)) {
    close(c->fd);
    free(c);
  } else if (n > 0) {
    fail("service: a message in parts");
  }
}

static void write_batch(struct conn *c) {
  ssize_t n = send(c->fd, batch + c->sent, batch_len - c->sent, MSG_NOSIGNAL);
  if (n < 0 && errno != EAGAIN) fail("send");
  if (n > 0) c->sent += (size_t)n;
  interest(c, EPOLL_CTL_MOD, c->sent < batch_len ? EPOLLIN | EPOLLOUT : EPOLLIN);
}

static void begin(struct conn *c, int64_t due) {
  c->got = 0;
  c->due = due;
  ssize_t n = send(c->fd, batch, batch_len, MSG_NOSIGNAL);
  if (n < 0 && errno != EAGAIN) fail("send");
  c->sent = n < 0 ? 0 : (size_t)n;
  if (c->sent < batch_len) interest(c, EPOLL_CTL_MOD, EPOLLIN | EPOLLOUT);
}

// The first response tells the length of all; later ones are compared by their status and length.
static int learn(const char *bytes, size_t n) {
  static size_t have;
  if (have + n >= HEAD_MAX) fail("a response is too long");
  memcpy(head + have, bytes, n);
  have += n;
  head[have] = 0;
  char *end = strstr(head, "\r\n\r\n");
  if (!end) return 0;
  char *length = strcasestr(head, "\r\ncontent-length:");
  if (!length || length > end || strncmp(head, "HTTP/1.1 200", 12)) {
    fprintf(stderr, "%s\n", head);
    fail("not 200 with a Content-Length");
  }
  size_t content_len = strtoul(length + 17, 0, 10);
  response_len = (size_t)(end - head) + 4 + content_len;
  if (have < response_len) return 0;
  char *type = strcasestr(head, "\r\ncontent-type: text/plain"), *date = strcasestr(head, "\r\ndate: ");
  if (!type || type > end || !date || date > end) {
    fprintf(stderr, "%s\n", head);
    fail("no Date, or another Content-Type than text/plain");
  }
  if (have > response_len || (expected && (content_len != strlen(expected) || memcmp(end + 4, expected, content_len)))) {
    fprintf(stderr, "%s\n", head);
    fail("another content than expected");
  }
  return 1;
}

static int is_expected(const struct conn *c, const char *bytes, size_t n) {
  size_t all = response_len * (size_t)depth;
  if (c->got + n > all) return 0;
  size_t first = (response_len - c->got % response_len) % response_len;
  for (size_t i = first; i + STATUS_BYTES <= n; i += response_len)
    if (memcmp(bytes + i, head, STATUS_BYTES)) return 0;
  return 1;
}

/* Returns true if a batch was answered. */
static int receive(struct conn *c) {
  ssize_t n = recv(c->fd, buffer, sizeof buffer, 0);
  if (n < 0 && errno == EAGAIN) return 0;
  if (n <= 0) fail("the server has closed a connection");
  if (!is_expected(c, buffer, (size_t)n)) {
    fprintf(stderr, "%.*s\n", (int)(n > 600 ? 600 : n), buffer);
    fail("a response differs from the first");
  }
  c->got += (size_t)n;
  return c->got == response_len * (size_t)depth;
}

static void cpu_of_server(double *total, double *user, double *kernel) {
  char file[64], text[1024];
  clockid_t clock;
  struct timespec t;
  *total = *user = *kernel = 0;
  if (!pid || clock_getcpuclockid(pid, &clock) || clock_gettime(clock, &t)) return;
  *total = (double)t.tv_sec + (double)t.tv_nsec / 1e9;
  snprintf(file, sizeof file, "/proc/%d/stat", pid);
  FILE *f = fopen(file, "r");
  if (!f) return;
  text[fread(text, 1, sizeof text - 1, f)] = 0;
  fclose(f);
  char *after = strrchr(text, ')');
  if (after && sscanf(after + 2, "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lf %lf", user, kernel) == 2) {
    *user /= (double)sysconf(_SC_CLK_TCK);
    *kernel /= (double)sysconf(_SC_CLK_TCK);
  }
}

static int64_t start, end;

static void send_due(int64_t at) {
  double each = 1e9 / rate;
  while (idle_count) {
    int64_t due = start + (int64_t)((double)sent * each);
    if (due > at || due >= end) return;
    struct conn *c = idle[idle_first];
    idle_first = (idle_first + 1) % (size_t)conns;
    idle_count--;
    sent++;
    begin(c, due);
  }
}

static void on_answer(struct conn *c) {
  int64_t at = now();
  record(at - c->due);
  answered++;
  if (!rate) {
    sent++;
    begin(c, at);
    return;
  }
  idle[(idle_first + idle_count++) % (size_t)conns] = c;
  send_due(at);
}

static void on_event(struct conn *c, uint32_t events) {
  if (c->kind == LISTENER) {
    int fd;
    while ((fd = accept(c->fd, 0, 0)) >= 0) {
      struct conn *s = calloc(1, sizeof *s);
      s->kind = SERVICE;
      add(s, fd);
    }
  } else if (c->kind == SERVICE) {
    serve(c);
  } else if (c->kind == STUCK) {
    if (recv(c->fd, buffer, sizeof buffer, 0) <= 0) fail("the stuck connection has ended");
    if (stuck_seconds < 0) stuck_seconds = (double)(now() - start) / 1e9;
  } else {
    if (events & EPOLLOUT) write_batch(c);
    if (events & (EPOLLIN | EPOLLERR | EPOLLHUP) && receive(c)) on_answer(c);
  }
}

static void poll_once(void) {
  struct epoll_event events[EVENTS];
  struct timespec wait = {0, 0};
  if (naps) {
    wait.tv_nsec = 1000000;
    if (rate && idle_count && start) {
      int64_t left = start + (int64_t)((double)sent * 1e9 / rate) - now();
      wait.tv_nsec = left < 0 ? 0 : left < 1000000 ? left : 1000000;
    }
  }
  int n = epoll_pwait2(ep, events, EVENTS, &wait, 0);
  for (int i = 0; i < n; i++) on_event(events[i].data.ptr, events[i].events);
}

// Sends one request, while the service runs, and learns the form of the responses.
static void learn_first(void) {
  struct conn c;
  int64_t patience = now() + 20000000000LL;
  struct sockaddr_in to = loopback(port);
  c.fd = socket(AF_INET, SOCK_STREAM, 0);
  if (connect(c.fd, (struct sockaddr *)&to, sizeof to)) fail("connect");
  if (send(c.fd, batch, request_len, MSG_NOSIGNAL) != (ssize_t)request_len) fail("send");
  for (;;) {
    ssize_t n = recv(c.fd, buffer, HEAD_MAX / 2, MSG_DONTWAIT);
    if (n == 0) fail("the server has closed the first connection");
    if (n > 0 && learn(buffer, (size_t)n)) break;
    if (now() > patience) fail("no first response");
    poll_once();
  }
  close(c.fd);
}

static void options(int argc, char **argv) {
  for (int o; (o = getopt(argc, argv, "p:P:c:d:t:r:s:u:x:e:z")) != -1;) {
    if (o == 'p') port = atoi(optarg);
    else if (o == 'P') path = optarg;
    else if (o == 'c') conns = atoi(optarg);
    else if (o == 'd') depth = atoi(optarg);
    else if (o == 't') seconds = atof(optarg);
    else if (o == 'r') rate = atoi(optarg);
    else if (o == 's') service = atoi(optarg);
    else if (o == 'u') pid = atoi(optarg);
    else if (o == 'x') stuck_path = optarg;
    else if (o == 'e') expected = optarg;
    else if (o == 'z') naps = 1;
    else {
      fprintf(stderr, "load -p PORT [-P PATH] [-c CONNECTIONS] [-d DEPTH] [-t SECONDS] [-r RATE]\n"
                      "  [-s PORT of the service] [-u PID whose CPU time counts] [-x PATH that one more connection calls] [-e CONTENT of a response] [-z: sleep]\n");
      exit(2);
    }
  }
  if (depth < 1 || depth > 64 || conns < 1) fail("depth or connections");
}

int main(int argc, char **argv) {
  options(argc, argv);
  struct rlimit files;
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
  ep = epoll_create1(0);
  if (service) listen_for_handlers();
  request_len = (size_t)sprintf(batch, "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nAccept: text/plain,text/html;q=0.9,application/xhtml+xml;q=0.9,*/*;q=0.7\r\nConnection: keep-alive\r\n\r\n", path, port);
  for (int i = 1; i < depth; i++) memcpy(batch + (size_t)i * request_len, batch, request_len);
  batch_len = request_len * (size_t)depth;
  learn_first();
  clients = calloc((size_t)conns, sizeof *clients);
  idle = calloc((size_t)conns, sizeof *idle);
  for (int i = 0; i < conns; i++) dial(idle[i] = &clients[i]);
  idle_count = (size_t)conns;
  if (stuck_path) dial(&stuck);

  double total0, user0, kernel0, total, user, kernel;
  cpu_of_server(&total0, &user0, &kernel0);
  start = now();
  end = start + (int64_t)(seconds * 1e9);
  if (stuck_path) {
    int n = sprintf(stuck_request, "GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", stuck_path);
    if (send(stuck.fd, stuck_request, (size_t)n, MSG_NOSIGNAL) != n) fail("send");
  }
  if (!rate)
    for (int i = 0; i < conns; i++, sent++) begin(&clients[i], now());
  int64_t patience = end + 60000000000LL;
  for (int64_t t; (t = now()) < patience && (t < end || (rate && answered < sent) || (stuck_path && stuck_seconds < 0));) {
    if (rate) send_due(t);
    poll_once();
  }
  double took = (double)(now() - start) / 1e9;
  cpu_of_server(&total, &user, &kernel);
  double n = answered ? (double)answered * depth : 1;
  printf("{\"requests\":%.0f,\"seconds\":%.4f,\"errors\":%lld,\"unanswered\":%lld,\"cpu_ns\":%.1f,\"user_ns\":%.1f,\"system_ns\":%.1f,"
         "\"server_cpu\":%.3f,\"p50\":%.1f,\"p99\":%.1f,\"p999\":%.1f,\"max\":%.1f,\"stuck_seconds\":%.3f}\n",
         answered ? n : 0, took, errors, rate ? sent - answered : 0, (total - total0) * 1e9 / n, (user - user0) * 1e9 / n, (kernel - kernel0) * 1e9 / n,
         (total - total0) / took, micros_at(.5), micros_at(.99), micros_at(.999), (double)longest / 1e3, stuck_seconds);
  return 0;
}
