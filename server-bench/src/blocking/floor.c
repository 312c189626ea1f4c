// The floor: an epoll loop without a parser. It counts the ends of heads and sends prebuilt
// responses, with one recv and one send for each readable event. The argument is the port.
#define _GNU_SOURCE
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { EVENTS = 512, FDS = 1 << 16, RESPONSES = 64, HISTORY = 3 };

static char history[FDS][4]; // the last bytes of each connection
static char memory[64 + 65536 + 64], responses[RESPONSES * 256];
static size_t response_len;
static time_t built;

static void build(void) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME_COARSE, &t);
  if (t.tv_sec == built) return;
  built = t.tv_sec;
  struct tm tm;
  char date[64];
  strftime(date, sizeof date, "%a, %d %b %Y %H:%M:%S GMT", gmtime_r(&built, &tm));
  response_len = (size_t)sprintf(responses, "HTTP/1.1 200 OK\r\nServer: F\r\nDate: %s\r\nContent-Type: text/plain\r\nContent-Length: 13\r\n\r\nHello, World!", date);
  for (size_t i = 1; i < RESPONSES; i++) memcpy(responses + i * response_len, responses, response_len);
}

static size_t ends_of_heads(const char *p, size_t n) {
  unsigned count = 0;
  for (size_t i = 0; i < n; i++) count += (p[i] == '\r') & (p[i + 1] == '\n') & (p[i + 2] == '\r') & (p[i + 3] == '\n');
  return count;
}

static void serve(int fd) {
  char *bytes = memory + 64;
  ssize_t n = recv(fd, bytes, 65536, 0);
  if (n < 0 && errno == EAGAIN) return;
  if (n <= 0) {
    close(fd);
    return;
  }
  memcpy(bytes - HISTORY, history[fd], HISTORY);
  size_t count = ends_of_heads(bytes - HISTORY, (size_t)n);
  memcpy(history[fd], bytes + n - HISTORY, HISTORY);
  size_t length = (count < RESPONSES ? count : RESPONSES) * response_len;
  if (count && send(fd, responses, length, MSG_NOSIGNAL) != (ssize_t)length) close(fd);
}

int main(int argc, char **argv) {
  int one = 1, ep = epoll_create1(0), listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  struct rlimit files;
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(argv[argc - 1])), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  if (bind(listener, (struct sockaddr *)&at, sizeof at) || listen(listener, 4096)) {
    perror("floor");
    return 1;
  }
  struct epoll_event event = {.events = EPOLLIN, .data.fd = listener}, events[EVENTS];
  epoll_ctl(ep, EPOLL_CTL_ADD, listener, &event);
  for (;;) {
    int n = epoll_wait(ep, events, EVENTS, -1);
    build();
    for (int i = 0; i < n; i++) {
      if (events[i].data.fd != listener) {
        serve(events[i].data.fd);
        continue;
      }
      int fd;
      while ((fd = accept4(listener, 0, 0, SOCK_NONBLOCK)) >= 0 && fd < FDS) {
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        memset(history[fd], 0, sizeof history[fd]);
        event = (struct epoll_event){.events = EPOLLIN, .data.fd = fd};
        epoll_ctl(ep, EPOLL_CTL_ADD, fd, &event);
      }
    }
  }
}
