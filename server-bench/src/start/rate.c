// Sends GET requests at a fixed rate from the first response on, and prints one line: the first
// response in milliseconds since this program began, then the p50, p99 and maximum latency of all
// requests in milliseconds, and how many were answered. A latency counts from the time at which the
// request was due, so that a server that stalls doesn't slow the load down. Polls without sleeping:
// give it a processor of its own.
//
//   cc -O2 -o rate rate.c && rate PORT PATH RATE SECONDS CONNECTIONS
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define CONNECTIONS_MAX 1024

static char request[512];
static int requestBytes;
static int port;

static long now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000L + t.tv_nsec;
}

static int dial(void) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int fd = socket(AF_INET, SOCK_STREAM, 0), on = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (connect(fd, (struct sockaddr *)&address, sizeof address) < 0) {
    close(fd);
    return -1;
  }
  return fd;
}

static int order(const void *a, const void *b) {
  float x = *(const float *)a, y = *(const float *)b;
  return (x > y) - (x < y);
}

// A response is so short that one read takes it whole.
static int answered(int fd, int flags) {
  char response[65536];
  int n = recv(fd, response, sizeof response, flags);
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return 0;
  if (n <= 0 || strncmp(response, "HTTP/1.1 200", 12) != 0) {
    fprintf(stderr, "no response with status 200\n");
    exit(1);
  }
  return 1;
}

int main(int argc, char **argv) {
  if (argc != 6) return fprintf(stderr, "rate PORT PATH RATE SECONDS CONNECTIONS\n"), 2;
  long began = now();
  port = atoi(argv[1]);
  requestBytes = snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n", argv[2]);
  long gap = 1000000000L / atol(argv[3]), total = atol(argv[3]) * atol(argv[4]);
  int connections = atoi(argv[5]), fds[CONNECTIONS_MAX];
  long due[CONNECTIONS_MAX] = {0}; // of the request under way; 0 for none
  if (connections < 1 || connections > CONNECTIONS_MAX) return 2;
  while ((fds[0] = dial()) < 0) {
    if (now() - began > 30000000000L) return fprintf(stderr, "nothing listens\n"), 1;
    usleep(500);
  }
  if (send(fds[0], request, requestBytes, 0) < 0 || !answered(fds[0], 0)) return 1;
  long first = now();
  for (int i = 1; i < connections; i++)
    if ((fds[i] = dial()) < 0) return fprintf(stderr, "connection %d refused\n", i), 1;
  float *latency = malloc(total * sizeof *latency);
  long sent = 0, done = 0, end = first + total * gap + 5000000000L;
  while (done < total && now() < end) {
    for (int i = 0; i < connections; i++) {
      if (due[i] != 0 && answered(fds[i], MSG_DONTWAIT)) {
        latency[done++] = (now() - due[i]) / 1e6;
        due[i] = 0;
      }
      long next = first + sent * gap;
      if (due[i] == 0 && sent < total && now() >= next) {
        due[i] = next;
        sent++;
        if (send(fds[i], request, requestBytes, 0) != requestBytes) return 1;
      }
    }
  }
  qsort(latency, done, sizeof *latency, order);
  printf("%.1f %.3f %.3f %.3f %ld\n", (first - began) / 1e6, latency[done / 2], latency[done * 99 / 100], latency[done - 1], done);
  return 0;
}
