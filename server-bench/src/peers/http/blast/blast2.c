// blast2: blast's sibling for TLS, HTTP/2 and WebSocket, loopback only.
//
// One thread, epoll, polling always (see blast.c).  Four modes:
//   h1   as blast: batches of D identical requests, all D responses awaited
//   h2   D streams in flight on every connection; each end of a stream starts
//        another, the new HEADERS of one turn in one write.  Prebuilt header
//        blocks: literals with indexing once, indexed fields from then on.
//        Response blocks are not decoded, only ':status 200' (0x88) is looked
//        for; the body's length is compared with the first one's.
//   ws   D masked messages in flight, the echo compared byte by byte
//   hs   a connection per request: TCP, TLS handshake, GET, response,
//        close_notify, close.  -r resumes the session of the slot's last one
// -s: over TLS 1.3 (OpenSSL, certificate not verified).
// Latencies are those of a closed loop, as blast's.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

typedef uint64_t u64;
typedef uint8_t u8;

static u64 now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (u64)t.tv_sec * 1000000000ull + (u64)t.tv_nsec;
}

/* ---- histogram: log-linear, 64 sub-buckets per power of two (as blast's) */
#define SUB 64
#define SUBBITS 6
static u64 hist[64 * SUB], hist_n;
static inline void hput(u64 v) {
  int i = (int)v;
  if (v >= SUB) {
    int e = 63 - __builtin_clzll(v);
    i = (e - SUBBITS + 1) * SUB + (int)((v >> (e - SUBBITS)) & (SUB - 1));
  }
  hist[i]++;
  hist_n++;
}
static double hpct(double p) { /* µs */
  u64 want = (u64)((double)hist_n * p + 0.5), c = 0;
  if (want < 1) want = 1;
  for (int i = 0; i < 64 * SUB; i++)
    if ((c += hist[i]) >= want) {
      if (i < SUB) return i / 1e3;
      int e = i / SUB + SUBBITS - 1;
      return (double)((1ull << e) + (u64)(i % SUB + 1) * (1ull << (e - SUBBITS)) - 1) / 1e3;
    }
  return 0;
}

enum { H1, H2, WS, HS } mode = H1;
#define SLOTS 2048 /* streams in flight at most, by stream number */
struct stream { u64 t0; uint32_t id; int32_t window; size_t left, got; };
struct conn {
  int fd, want_out, closing;
  SSL *ssl;
  SSL_SESSION *sess;
  u8 *out; /* bytes to be written: out[opos, olen) */
  size_t opos, olen, ocap;
  u64 t0; /* of the batch, or the connection */
  size_t got;
  /* h2: the frame being read */
  u8 fh[9], fb[16384];
  size_t fhn, flen, fat;
  uint32_t next_id;
  int active, settings, warm_hpack;
  int64_t window, unacked;
  int32_t peer_window, peer_streams;
  size_t uploads; /* streams with body bytes left to send */
  struct stream *st;
  /* ws */
  u8 wh[14];
  size_t whn, wneed, wleft, wat;
  u64 *ts, head, tail;
};

static struct conn *conns;
static int depth = 1, nconn = 64, port = 8080, ep, tls, resume, text, measuring, single;
static long body = -1;
static int grpc; /* messages of a request: -G n, each with body bytes, as gRPC frames them */
static const char *path = "/plaintext";
static u64 n_req, n_bytes, n_err, n_reconn, n_resumed, n_unresumed;
static u8 rbuf[256 * 1024];
static SSL_CTX *ctx;

static void fail(const char *m) {
  printf("{\"error\":\"%s\"}\n", m);
  fflush(stdout);
  exit(3);
}
static void die(const char *m) {
  char b[300];
  snprintf(b, sizeof b, "%s: %s", m, strerror(errno));
  fail(b);
}

/* ---- transport */
static void emit(struct conn *c, const void *p, size_t n) {
  if (c->opos == c->olen) c->opos = c->olen = 0;
  if (c->olen + n > c->ocap) {
    c->ocap = (c->olen + n) * 2;
    c->out = realloc(c->out, c->ocap);
  }
  memcpy(c->out + c->olen, p, n);
  c->olen += n;
}
static void want_out(struct conn *c, int on) {
  if (c->want_out == on) return;
  struct epoll_event ev = {.events = EPOLLIN | (on ? EPOLLOUT : 0), .data.ptr = c};
  epoll_ctl(ep, EPOLL_CTL_MOD, c->fd, &ev);
  c->want_out = on;
}
/* 0 written or waiting, -1 broken */
static int push(struct conn *c) {
  while (c->opos < c->olen) {
    ssize_t w;
    if (c->ssl) {
      w = SSL_write(c->ssl, c->out + c->opos, (int)(c->olen - c->opos));
      if (w <= 0) {
        int e = SSL_get_error(c->ssl, (int)w);
        ERR_clear_error();
        if (e != SSL_ERROR_WANT_WRITE && e != SSL_ERROR_WANT_READ) return -1;
        if (e == SSL_ERROR_WANT_WRITE) want_out(c, 1);
        return 0;
      }
    } else {
      w = send(c->fd, c->out + c->opos, c->olen - c->opos, MSG_NOSIGNAL);
      if (w < 0) {
        if (errno != EAGAIN) return -1;
        want_out(c, 1);
        return 0;
      }
    }
    c->opos += (size_t)w;
  }
  want_out(c, 0);
  return 0;
}
/* bytes read; 0: nothing now; -1: closed or broken */
static ssize_t pull(struct conn *c, u8 *b, size_t n) {
  if (c->ssl) {
    size_t at = 0;
    while (at < n) {
      int r = SSL_read(c->ssl, b + at, (int)(n - at));
      if (r <= 0) {
        int e = SSL_get_error(c->ssl, r);
        ERR_clear_error();
        if (at || e == SSL_ERROR_WANT_READ || e == SSL_ERROR_WANT_WRITE) break;
        return -1;
      }
      at += (size_t)r;
    }
    return (ssize_t)at;
  }
  ssize_t r = recv(c->fd, b, n, 0);
  if (r == 0) return -1;
  if (r < 0) return errno == EAGAIN ? 0 : -1;
  return r;
}
static int on_session(SSL *s, SSL_SESSION *x) {
  struct conn *c = SSL_get_app_data(s);
  if (!c) return 0;
  if (c->sess) SSL_SESSION_free(c->sess);
  c->sess = x;
  return 1;
}
static void tcp(struct conn *c) {
  static unsigned turn;
  c->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  int one = 1;
  setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  if (mode == HS) { /* many source addresses, so that ports in TIME_WAIT don't run out */
    setsockopt(c->fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &one, sizeof one);
    struct sockaddr_in me = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(0x7f000002u + turn++ % 240)};
    bind(c->fd, (struct sockaddr *)&me, sizeof me);
  }
  struct sockaddr_in sa = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  struct timeval tv = {.tv_sec = 8};
  setsockopt(c->fd, SOL_SOCKET, SO_RCVTIMEO, &tv, sizeof tv); /* while blocking */
  if (connect(c->fd, (struct sockaddr *)&sa, sizeof sa) < 0) die("connect");
  c->opos = c->olen = c->got = 0;
  c->want_out = c->closing = 0;
  if (tls) {
    c->ssl = SSL_new(ctx);
    SSL_set_app_data(c->ssl, c);
    SSL_set_fd(c->ssl, c->fd);
    SSL_set_connect_state(c->ssl);
    if (resume && c->sess) SSL_set_session(c->ssl, c->sess);
  }
}
static void nonblock(struct conn *c) {
  fcntl(c->fd, F_SETFL, O_NONBLOCK);
  struct epoll_event ev = {.events = EPOLLIN, .data.ptr = c};
  if (epoll_ctl(ep, EPOLL_CTL_ADD, c->fd, &ev) < 0) die("epoll_ctl");
}
static void drop(struct conn *c) {
  if (c->ssl) {
    if (mode != HS) SSL_set_shutdown(c->ssl, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN);
    SSL_free(c->ssl);
    c->ssl = 0;
  }
  close(c->fd);
  c->fd = -1;
}

/* ---- h1, hs */
#define CHK 32
static size_t resp_len, head_chk, tail_chk;
static char first_head[CHK], last_tail[CHK];
static char *batch;
static size_t one_len, batch_len;

static void learn(void) { /* one blocking exchange; the length of a response */
  struct conn *c = calloc(1, sizeof *c);
  tcp(c);
  if (tls && SSL_connect(c->ssl) != 1) fail("TLS handshake failed");
  fcntl(c->fd, F_SETFL, O_NONBLOCK);
  emit(c, batch, one_len);
  size_t cap = 16u << 20, n = 0, total = 0;
  char *b = malloc(cap + 1);
  for (u64 end = now_ns() + 10000000000ull; !total || n < total;) {
    if (now_ns() > end) fail("learn: timeout");
    if (c->opos < c->olen) { /* no epoll here */
      ssize_t w = tls ? SSL_write(c->ssl, c->out + c->opos, (int)(c->olen - c->opos)) : send(c->fd, c->out + c->opos, c->olen - c->opos, MSG_NOSIGNAL);
      if (w > 0) c->opos += (size_t)w;
      ERR_clear_error();
    }
    ssize_t r = pull(c, (u8 *)b + n, cap - n);
    if (r < 0) { fprintf(stderr, "%.*s\n", (int)(n > 500 ? 500 : n), b); fail("learn: connection closed"); }
    if (r == 0) usleep(200);
    n += (size_t)r;
    if (!total) {
      b[n] = 0;
      char *e = strstr(b, "\r\n\r\n"), *p = strcasestr(b, "\r\ncontent-length:");
      if (!e) continue;
      if (!p || p > e) { fprintf(stderr, "%.500s\n", b); fail("learn: no Content-Length"); }
      size_t cl = strtoul(p + 17, 0, 10);
      total = (size_t)(e - b) + 4 + cl;
      head_chk = (size_t)(strstr(b, "\r\n") - b) + 2;
      if (head_chk > CHK) head_chk = CHK;
      tail_chk = cl < CHK ? cl : CHK;
    }
  }
  if (n != total) fail("learn: more bytes than one response");
  memcpy(first_head, b, head_chk);
  memcpy(last_tail, b + total - tail_chk, tail_chk);
  resp_len = total;
  if (single) fprintf(stderr, "%s %s\n%.*s\n", tls ? SSL_get_version(c->ssl) : "clear", tls ? SSL_get_cipher(c->ssl) : "", (int)(total > 600 ? 600 : total), b);
  free(b);
  drop(c);
}
static int check(size_t at, const u8 *b, size_t n) {
  size_t pos = at % resp_len, i = 0;
  while (i < n) {
    size_t left = resp_len - pos, m = n - i < left ? n - i : left;
    if (pos < head_chk && memcmp(first_head + pos, b + i, head_chk - pos < m ? head_chk - pos : m)) return -1;
    size_t ts = resp_len - tail_chk, from = pos > ts ? pos : ts;
    if (pos + m > from && memcmp(last_tail + (from - ts), b + i + (from - pos), pos + m - from)) return -1;
    i += m;
    pos = 0;
  }
  return 0;
}
static int h1_start(struct conn *c, u64 t) {
  c->got = 0;
  c->t0 = t;
  emit(c, batch, mode == HS ? one_len : batch_len);
  return push(c);
}
static int h1_input(struct conn *c, const u8 *b, size_t n) {
  size_t want = resp_len * (size_t)(mode == HS ? 1 : depth);
  if (c->got + n > want || check(c->got, b, n)) return -1;
  c->got += n;
  if (c->got < want) return 0;
  u64 t = now_ns();
  hput(t - c->t0);
  n_req += mode == HS ? 1 : (u64)depth;
  if (mode == HS) { c->closing = 1; return 0; }
  return h1_start(c, t);
}

/* ---- h2 */
static u8 hb_first[1024], hb_next[64];
static size_t hb_first_n, hb_next_n, h2_body;
static int h2_learnt;
static u8 *upload;

static size_t lit(u8 *o, int first, const char *v) { /* literal with incremental indexing, name by static index */
  size_t n = strlen(v);
  if (n > 126) fail("header value too long");
  o[0] = (u8)first;
  o[1] = (u8)n;
  memcpy(o + 2, v, n);
  return n + 2;
}
static void h2_blocks(void) {
  char auth[32], len[32];
  snprintf(auth, sizeof auth, "127.0.0.1:%d", port);
  snprintf(len, sizeof len, "%ld", body);
  u8 *o = hb_first;
  *o++ = body >= 0 ? 0x83 : 0x82;
  *o++ = tls ? 0x87 : 0x86;
  o += lit(o, 0x44, path);
  o += lit(o, 0x41, auth);
  int k = 3;
  if (grpc) {
    o += lit(o, 0x5f, "application/grpc");
    memcpy(o, "\x40\x02te\x08trailers", 13);
    o += 13;
    o += lit(o, 0x7a, "blast2");
    k = 5;
  } else
    o += lit(o, 0x53, "text/plain,text/html;q=0.9,application/xhtml+xml;q=0.9,application/xml;q=0.8,*/*;q=0.7");
  if (body >= 0 && !grpc) {
    o += lit(o, 0x5c, len);
    o += lit(o, 0x5f, "application/octet-stream");
    k = 5;
  }
  hb_first_n = (size_t)(o - hb_first);
  o = hb_next;
  *o++ = hb_first[0];
  *o++ = hb_first[1];
  for (int i = 0; i < k; i++) *o++ = (u8)(0x80 | (61 + k - i));
  hb_next_n = (size_t)(o - hb_next);
}
static u8 *frame(u8 *o, size_t n, int type, int flags, uint32_t id) {
  o[0] = (u8)(n >> 16); o[1] = (u8)(n >> 8); o[2] = (u8)n;
  o[3] = (u8)type; o[4] = (u8)flags;
  o[5] = (u8)(id >> 24); o[6] = (u8)(id >> 16); o[7] = (u8)(id >> 8); o[8] = (u8)id;
  return o + 9;
}
static uint32_t be32(const u8 *p) { return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3]; }
static void h2_window(struct conn *c, uint32_t n) {
  u8 f[13], *o = frame(f, 4, 8, 0, 0);
  o[0] = (u8)(n >> 24); o[1] = (u8)(n >> 16); o[2] = (u8)(n >> 8); o[3] = (u8)n;
  emit(c, f, 13);
}
static void h2_upload(struct conn *c, struct stream *s) {
  while (s->left) {
    size_t n = s->left < 16384 ? s->left : 16384;
    if ((int64_t)n > c->window) n = c->window > 0 ? (size_t)c->window : 0;
    if ((int64_t)n > s->window) n = s->window > 0 ? (size_t)s->window : 0;
    if (!n) return;
    u8 f[9];
    frame(f, n, 0, n == s->left, s->id);
    emit(c, f, 9);
    emit(c, upload + (grpc ? (size_t)body - s->left : 0), n);
    s->left -= n;
    s->window -= (int32_t)n;
    c->window -= (int64_t)n;
    if (!s->left) c->uploads--;
  }
}
static void h2_request(struct conn *c, u64 t) {
  u8 f[9 + sizeof hb_first];
  const u8 *b = c->warm_hpack ? hb_next : hb_first;
  size_t n = c->warm_hpack ? hb_next_n : hb_first_n;
  c->warm_hpack = 1;
  uint32_t id = c->next_id;
  c->next_id += 2;
  frame(f, n, 1, 4 | (body < 0), id);
  memcpy(f + 9, b, n);
  emit(c, f, 9 + n);
  struct stream *s = &c->st[(id >> 1) % SLOTS];
  if (s->id) fail("too many streams in flight");
  *s = (struct stream){.t0 = t, .id = id, .window = c->peer_window, .left = body > 0 ? (size_t)body : 0};
  c->active++;
  if (s->left) {
    c->uploads++;
    h2_upload(c, s);
  }
}
static void h2_fill(struct conn *c) {
  u64 t = now_ns();
  int most = depth < c->peer_streams ? depth : c->peer_streams;
  while (c->active < most) h2_request(c, t);
}
static void h2_hello(struct conn *c) {
  static const u8 settings[] = {0, 2, 0, 0, 0, 0, 0, 4, 0x40, 0, 0, 0}; /* no push; stream windows 2^30 */
  u8 f[9];
  emit(c, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 24);
  frame(f, sizeof settings, 4, 0, 0);
  emit(c, f, 9);
  emit(c, settings, sizeof settings);
  h2_window(c, (1u << 30) - 65535);
  c->fhn = c->flen = c->fat = 0;
  c->next_id = 1;
  c->active = c->settings = c->warm_hpack = 0;
  c->window = 65535;
  c->peer_window = 65535;
  c->peer_streams = 1 << 20;
  c->unacked = 0;
  c->uploads = 0;
  if (!c->st) c->st = malloc(SLOTS * sizeof *c->st);
  memset(c->st, 0, SLOTS * sizeof *c->st);
}
static int h2_end(struct conn *c, uint32_t id) {
  struct stream *s = &c->st[(id >> 1) % SLOTS];
  if (s->id != id) return -1;
  if (!h2_learnt) { h2_body = s->got; h2_learnt = 1; }
  if (s->got != h2_body || s->left) { if (n_err < 4) fprintf(stderr, "stream %u: %zu bytes, not %zu\n", id, s->got, h2_body); return -1; }
  hput(now_ns() - s->t0);
  s->id = 0;
  c->active--;
  n_req++;
  return 0;
}
static int h2_frame(struct conn *c) { /* a whole frame; DATA's payload is only counted */
  uint32_t id = be32(c->fh + 5) & 0x7fffffff;
  int type = c->fh[3], flags = c->fh[4];
  const u8 *p = c->fb;
  size_t n = c->flen;
  u8 f[17];
  switch (type) {
    case 0: {
      struct stream *s = &c->st[(id >> 1) % SLOTS];
      if (s->id != id || (flags & 8)) return -1;
      s->got += n;
      c->unacked += (int64_t)n;
      if (c->unacked > 1 << 28) { h2_window(c, (uint32_t)c->unacked); c->unacked = 0; }
      return flags & 1 ? h2_end(c, id) : 0;
    }
    case 1: {
      if (single && id == 1) { fprintf(stderr, "HEADERS %zu bytes%s:", n, flags & 1 ? ", the last" : ""); for (size_t j = 0; j < n; j++) fprintf(stderr, p[j] >= 32 && p[j] < 127 ? "%c" : "\\x%02x", p[j]); fputc('\n', stderr); }
      size_t i = (flags & 8 ? 1 : 0) + (flags & 32 ? 5 : 0);
      if (!(flags & 4)) fail("response with CONTINUATION");
      while (i < n && (p[i] & 0xe0) == 0x20) { if ((p[i++] & 31) == 31) while (i < n && p[i++] & 0x80) {} } /* table size updates */
      if ((i >= n || p[i] != 0x88) && !c->st[(id >> 1) % SLOTS].got) { if (n_err < 4) fprintf(stderr, "stream %u: not :status 200 (%02x, %zu bytes)\n", id, i < n ? p[i] : 0, n); return -1; }
      return flags & 1 ? h2_end(c, id) : 0;
    }
    case 3: if (n_err < 4) fprintf(stderr, "stream %u reset: %u\n", id, be32(p)); return -1;
    case 4:
      if (flags & 1) return 0;
      for (size_t i = 0; i + 6 <= n; i += 6) {
        uint32_t k = (uint32_t)(p[i] << 8 | p[i + 1]), v = be32(p + i + 2);
        if (k == 1 && v < 4096) fail("peer wants a smaller header table");
        if (k == 3) c->peer_streams = v > 1 << 20 ? 1 << 20 : (int32_t)v;
        if (k == 4) {
          for (int j = 0; j < SLOTS; j++) if (c->st[j].id) c->st[j].window += (int32_t)v - c->peer_window;
          c->peer_window = (int32_t)v;
        }
      }
      c->settings = 1;
      frame(f, 0, 4, 1, 0);
      emit(c, f, 9);
      return 0;
    case 6:
      if (!(flags & 1)) { frame(f, 8, 6, 1, 0); memcpy(f + 9, p, 8); emit(c, f, 17); }
      return 0;
    case 7: if (n_err < 4) fprintf(stderr, "GOAWAY %u %.*s\n", be32(p + 4), (int)(n - 8), p + 8); return -1;
    case 8: {
      uint32_t v = be32(p) & 0x7fffffff;
      if (id == 0) c->window += v;
      else { struct stream *s = &c->st[(id >> 1) % SLOTS]; if (s->id == id) s->window += (int32_t)v; }
      if (c->uploads) {
        if (id) { struct stream *s = &c->st[(id >> 1) % SLOTS]; if (s->id == id) h2_upload(c, s); }
        else for (uint32_t q = c->next_id - 2 * SLOTS < c->next_id ? c->next_id - 2 * SLOTS : 1; q < c->next_id && c->window > 0 && c->uploads; q += 2) { struct stream *s = &c->st[(q >> 1) % SLOTS]; if (s->id == q && s->left) h2_upload(c, s); }
      }
      return 0;
    }
    default: return 0;
  }
}
static int h2_input(struct conn *c, const u8 *b, size_t n) {
  while (n) {
    if (c->fhn < 9) {
      size_t m = 9 - c->fhn < n ? 9 - c->fhn : n;
      memcpy(c->fh + c->fhn, b, m);
      c->fhn += m;
      b += m;
      n -= m;
      if (c->fhn < 9) return 0;
      c->flen = (size_t)c->fh[0] << 16 | (size_t)c->fh[1] << 8 | c->fh[2];
      c->fat = 0;
      if (c->flen > sizeof c->fb) return -1;
    }
    size_t m = c->flen - c->fat < n ? c->flen - c->fat : n;
    if (c->fh[3]) memcpy(c->fb + c->fat, b, m);
    c->fat += m;
    b += m;
    n -= m;
    if (c->fat < c->flen) return 0;
    c->fhn = 0;
    if (h2_frame(c) < 0) return -1;
  }
  return 0;
}

/* ---- ws */
static u8 *ws_frame, *ws_plain;
static size_t ws_frame_n;
static void ws_build(void) {
  static const u8 mask[4] = {0x37, 0xfa, 0x21, 0x3d};
  size_t n = (size_t)body, h = 2;
  ws_plain = malloc(n + 1);
  ws_frame = malloc(n + 16);
  for (size_t i = 0; i < n; i++) ws_plain[i] = (u8)('a' + (i * 7 + i / 26) % 26);
  ws_frame[0] = text ? 0x81 : 0x82;
  if (n < 126) ws_frame[1] = (u8)(0x80 | n);
  else if (n < 65536) { ws_frame[1] = 0x80 | 126; ws_frame[2] = (u8)(n >> 8); ws_frame[3] = (u8)n; h = 4; }
  else { ws_frame[1] = 0x80 | 127; for (int i = 0; i < 8; i++) ws_frame[2 + i] = (u8)((u64)n >> (56 - 8 * i)); h = 10; }
  memcpy(ws_frame + h, mask, 4);
  h += 4;
  for (size_t i = 0; i < n; i++) ws_frame[h + i] = ws_plain[i] ^ mask[i & 3];
  ws_frame_n = h + n;
}
static void ws_fill(struct conn *c) {
  u64 t = now_ns();
  while (c->tail - c->head < (u64)depth) {
    c->ts[c->tail++ % (u64)depth] = t;
    emit(c, ws_frame, ws_frame_n);
  }
}
static int ws_input(struct conn *c, const u8 *b, size_t n) {
  while (n || (c->whn && !c->wleft && c->whn == c->wneed)) {
    if (!c->wneed) { c->wneed = 2; c->whn = 0; }
    if (c->whn < c->wneed) {
      c->wh[c->whn++] = *b++;
      n--;
      if (c->whn == 2) {
        int l = c->wh[1] & 127;
        if (c->wh[1] & 128) return -1;
        c->wneed = l == 126 ? 4 : l == 127 ? 10 : 2;
      }
      if (c->whn < c->wneed) continue;
      int op = c->wh[0] & 15;
      u64 l = c->wh[1];
      if (l == 126) l = (u64)c->wh[2] << 8 | c->wh[3];
      else if (l == 127) { l = 0; for (int i = 2; i < 10; i++) l = l << 8 | c->wh[i]; }
      if (c->wh[0] & 0x70 || (op != 0 && op != (text ? 1 : 2)) || (op == 0) != (c->wat > 0) || c->wat + l > (size_t)body) {
        if (n_err < 4) fprintf(stderr, "unexpected frame %02x length %llu at %zu\n", c->wh[0], (unsigned long long)l, c->wat);
        return -1;
      }
      c->wleft = l;
    }
    size_t m = c->wleft < n ? c->wleft : n;
    if (memcmp(b, ws_plain + c->wat, m)) { if (n_err < 4) fprintf(stderr, "echo differs\n"); return -1; }
    c->wat += m;
    c->wleft -= m;
    b += m;
    n -= m;
    if (c->wleft) return 0;
    c->wneed = 0;
    if (c->wh[0] & 0x80) {
      if (c->wat != (size_t)body) return -1;
      hput(now_ns() - c->ts[c->head++ % (u64)depth]);
      n_req++;
      c->wat = 0;
    }
  }
  return 0;
}

/* ---- connections */
static void setup(struct conn *c) { /* blocking but for hs */
  u64 t = now_ns();
  tcp(c);
  if (mode == HS) {
    nonblock(c);
    if (h1_start(c, t) < 0) { n_err++; }
    c->t0 = t;
    return;
  }
  if (tls) {
    if (SSL_connect(c->ssl) != 1) fail("TLS handshake failed");
    if (mode == H2) {
      const u8 *p;
      unsigned n;
      SSL_get0_alpn_selected(c->ssl, &p, &n);
      if (n != 2) fail("no h2 by ALPN");
    }
  }
  if (mode == H2) {
    h2_hello(c);
    push(c);
    u8 b[4096];
    while (!c->settings) { /* the peer's limits before the first request */
      int r = tls ? SSL_read(c->ssl, b, sizeof b) : (int)recv(c->fd, b, sizeof b, 0);
      if (r <= 0 || h2_input(c, b, (size_t)r) < 0) fail("no HTTP/2 SETTINGS");
    }
    if (c->peer_streams < depth && c == conns) fprintf(stderr, "peer allows %d streams\n", c->peer_streams);
    h2_fill(c);
  } else if (mode == WS) {
    char q[512], b[4096];
    int n = snprintf(q, sizeof q, "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n", path, port);
    emit(c, q, (size_t)n);
    push(c);
    size_t at = 0;
    for (;;) { /* byte by byte, so that nothing after the head is taken */
      int r = tls ? SSL_read(c->ssl, b + at, 1) : (int)recv(c->fd, b + at, 1, 0);
      if (r <= 0 || at > 4000) fail("no WebSocket upgrade");
      b[++at] = 0;
      if (at >= 4 && !memcmp(b + at - 4, "\r\n\r\n", 4)) break;
    }
    if (strncmp(b, "HTTP/1.1 101", 12) || !strstr(b, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")) { fprintf(stderr, "%s\n", b); fail("WebSocket upgrade refused"); }
    if (single) fprintf(stderr, "%s", b);
    if (!c->ts) c->ts = malloc(sizeof(u64) * (size_t)depth);
    c->head = c->tail = 0;
    c->wneed = c->whn = c->wleft = c->wat = 0;
    ws_fill(c);
  } else if (mode == H1) {
    c->t0 = t;
    emit(c, batch, batch_len);
  }
  nonblock(c);
  push(c);
  while (mode == H2 && c->ssl && SSL_has_pending(c->ssl)) { /* what came along with SETTINGS */
    ssize_t r = pull(c, rbuf, sizeof rbuf);
    if (r <= 0) break;
    if (h2_input(c, rbuf, (size_t)r) < 0) fail("HTTP/2 error in the first frames");
    h2_fill(c);
    push(c);
  }
}
static void again(struct conn *c, int err) {
  if (err) {
    n_err++;
    n_reconn++;
    if (n_err > 1000) fail("more than 1000 errors");
  }
  drop(c);
  setup(c);
}
static void finish(struct conn *c) { /* hs: a polite end */
  if (tls) {
    if (SSL_session_reused(c->ssl)) n_resumed++; else n_unresumed++;
    SSL_shutdown(c->ssl);
    ERR_clear_error();
  }
  again(c, 0);
}

int main(int argc, char **argv) {
  double secs = 3, warm = 0;
  int o;
  const char *groups = "X25519:P-256", *suites = "TLS_AES_128_GCM_SHA256";
  while ((o = getopt(argc, argv, "p:P:c:d:t:w:b:m:srT1Sg:C:G:")) != -1) switch (o) {
      case 'p': port = atoi(optarg); break;
      case 'P': path = optarg; break;
      case 'c': nconn = atoi(optarg); break;
      case 'd': depth = atoi(optarg); break;
      case 't': secs = atof(optarg); break;
      case 'w': warm = atof(optarg); break;
      case 'b': body = atol(optarg); break;
      case 'm': mode = !strcmp(optarg, "h2") ? H2 : !strcmp(optarg, "ws") ? WS : !strcmp(optarg, "hs") ? HS : H1; break;
      case 's': tls = 1; break;
      case 'r': resume = 1; break;
      case 'T': text = 1; break;
      case '1': single = 1; break;
      case 'S': break; /* polls always */
      case 'G': grpc = atoi(optarg); break;
      case 'g': groups = optarg; break;
      case 'C': suites = optarg; break;
      default:
        fprintf(stderr, "blast2 -p PORT [-m h1|h2|ws|hs] [-s: TLS] [-P /path] [-c conns] [-d depth] [-t s] [-w warm-up s] [-b body or message bytes] [-T: text messages]\n"
                        "       [-G n: a call of gRPC with n messages of -b bytes] [-r: resume] [-g groups] [-C TLS 1.3 suites] [-1: one request, shown]\n");
        return 1;
    }
  if (grpc) {
    if (mode != H2 || body < 1 || body > 120) { fprintf(stderr, "-G is for -m h2, and -b for 1 to 120 bytes of a message\n"); return 1; }
    body = (body + 7) * grpc; /* frame of gRPC, tag and length of the string */
  }
  if (depth < 1 || nconn < 1 || depth > SLOTS / 2 || secs > 600) return 1;
  signal(SIGPIPE, SIG_IGN);
  struct rlimit rl = {1048576, 1048576};
  if (setrlimit(RLIMIT_NOFILE, &rl) < 0) { getrlimit(RLIMIT_NOFILE, &rl); rl.rlim_cur = rl.rlim_max; setrlimit(RLIMIT_NOFILE, &rl); }
  if (tls) {
    ctx = SSL_CTX_new(TLS_client_method());
    SSL_CTX_set_min_proto_version(ctx, TLS1_3_VERSION);
    SSL_CTX_set_verify(ctx, SSL_VERIFY_NONE, 0);
    SSL_CTX_set_mode(ctx, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    SSL_CTX_set_read_ahead(ctx, 1);
    SSL_CTX_set_default_read_buffer_len(ctx, 68 * 1024);
    if (SSL_CTX_set1_groups_list(ctx, groups) != 1 || SSL_CTX_set_ciphersuites(ctx, suites) != 1) fail("groups or suites");
    SSL_CTX_set_alpn_protos(ctx, (const u8 *)(mode == H2 ? "\x02h2" : "\x08http/1.1"), mode == H2 ? 3 : 9);
    if (resume) {
      SSL_CTX_set_session_cache_mode(ctx, SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
      SSL_CTX_sess_set_new_cb(ctx, on_session);
    }
  }
  ep = epoll_create1(EPOLL_CLOEXEC);
  if (mode == H1 || mode == HS) {
    batch = malloc((1024 + (body > 0 ? (size_t)body : 0)) * (size_t)depth);
    int n = snprintf(batch, 1024, "%s %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nAccept: text/plain,text/html;q=0.9,application/xhtml+xml;q=0.9,application/xml;q=0.8,*/*;q=0.7\r\nConnection: keep-alive\r\n", body >= 0 ? "POST" : "GET", path, port);
    if (body >= 0) n += snprintf(batch + n, 200, "Content-Type: application/octet-stream\r\nContent-Length: %ld\r\n", body);
    n += snprintf(batch + n, 8, "\r\n");
    one_len = (size_t)n;
    for (long i = 0; i < body; i++) batch[one_len++] = (char)('a' + (i * 7 + i / 26) % 26);
    for (int i = 1; i < depth; i++) memcpy(batch + (size_t)i * one_len, batch, one_len);
    batch_len = one_len * (size_t)depth;
    learn();
    if (single) return 0;
  } else if (mode == H2) {
    h2_blocks();
    upload = malloc(grpc ? (size_t)body : 16384);
    memset(upload, 'u', grpc ? (size_t)body : 16384);
    for (long i = 0, m = body / (grpc ? grpc : 1); grpc && i < grpc; i++) { /* field 1, a string, in a frame of gRPC */
      u8 *q = upload + i * m;
      long n = m - 5;
      q[0] = q[1] = q[2] = 0; q[3] = (u8)(n >> 8); q[4] = (u8)n;
      q[5] = 0x0a; q[6] = (u8)(n - 2);
    }
  } else {
    if (body < 0) body = 32;
    if (!strcmp(path, "/plaintext")) path = "/ws";
    ws_build();
  }
  if (single) { nconn = depth = 1; secs = 0.05; }
  conns = calloc((size_t)nconn, sizeof *conns);
  u64 last = now_ns();
  for (int i = 0; i < nconn; i++) setup(&conns[i]);
  struct rusage a, z;
  u64 t = now_ns(), from = t, mstart = t + (u64)(warm * 1e9), end = mstart + (u64)(secs * 1e9);
  n_req = n_err = 0;
  measuring = warm <= 0;
  getrusage(RUSAGE_SELF, &a);
  struct epoll_event evs[512];
  for (;;) {
    int n = epoll_wait(ep, evs, 512, 0);
    t = now_ns();
    if (!measuring && t >= mstart) {
      measuring = 1;
      memset(hist, 0, sizeof hist);
      hist_n = n_req = n_bytes = n_err = n_resumed = n_unresumed = 0;
      getrusage(RUSAGE_SELF, &a);
      from = t;
      end = t + (u64)(secs * 1e9);
    }
    if (measuring && t >= end) break;
    if (n > 0) last = t;
    else if (t - last > 5000000000ull) fail("stalled: no event for 5 s");
    for (int i = 0; i < n; i++) {
      struct conn *c = evs[i].data.ptr;
      if ((evs[i].events & EPOLLOUT) && push(c) < 0) { again(c, 1); continue; }
      if (!(evs[i].events & (EPOLLIN | EPOLLHUP | EPOLLERR))) continue;
      int e = 0;
      do { /* OpenSSL may hold bytes that epoll knows nothing of */
        ssize_t r = pull(c, rbuf, sizeof rbuf);
        if (r <= 0) { e = (int)r; break; }
        n_bytes += (u64)r;
        e = mode == H2 ? h2_input(c, rbuf, (size_t)r) : mode == WS ? ws_input(c, rbuf, (size_t)r) : h1_input(c, rbuf, (size_t)r);
      } while (e >= 0 && !c->closing && c->ssl && SSL_has_pending(c->ssl));
      if (e < 0) { again(c, 1); continue; }
      if (c->closing) { finish(c); continue; }
      if (mode == H2) h2_fill(c);
      else if (mode == WS) ws_fill(c);
      if (c->opos < c->olen && push(c) < 0) again(c, 1);
    }
  }
  getrusage(RUSAGE_SELF, &z);
  double el = (double)(t - from) / 1e9;
  double cpu = (double)(z.ru_utime.tv_sec - a.ru_utime.tv_sec + z.ru_stime.tv_sec - a.ru_stime.tv_sec) + (double)(z.ru_utime.tv_usec - a.ru_utime.tv_usec + z.ru_stime.tv_usec - a.ru_stime.tv_usec) / 1e6;
  if (single) fprintf(stderr, "%llu requests, body %zu, streams allowed %d\n", (unsigned long long)n_req, h2_body, mode == H2 ? conns[0].peer_streams : 0);
  if (single) return n_req ? 0 : 3;
  printf("{\"rps\":%.0f,\"requests\":%llu,\"seconds\":%.4f,\"bytes\":%llu,\"resp_len\":%zu,\"errors\":%llu,\"reconnects\":%llu,\"resumed\":%llu,\"full\":%llu,"
         "\"p50_us\":%.1f,\"p99_us\":%.1f,\"p999_us\":%.1f,\"max_us\":%.1f,\"client_cpu\":%.3f,\"client_ns_per_req\":%.0f}\n",
         (double)n_req / el, (unsigned long long)n_req, el, (unsigned long long)n_bytes, mode == H2 ? h2_body : resp_len, (unsigned long long)n_err, (unsigned long long)n_reconn,
         (unsigned long long)n_resumed, (unsigned long long)n_unresumed, hpct(.5), hpct(.99), hpct(.999), hpct(1.0), cpu / el, n_req ? cpu * 1e9 / (double)n_req : 0);
  return 0;
}
