package dev.peregrine.bench.overload;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Requests at a fixed rate, whether the service keeps up or not. Each of many connections sends its
 * share at times that are fixed in advance; one that still waits for a response then is late, and
 * its request counts as offered all the same.
 */
final class Load {
  private static final byte[] REQUEST =
      "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
  private static final int CONNECTIONS = 150;
  private static final int STATUS_AT = 9;
  private static final int READ_MAX = 4096;
  private static final int TIMEOUT_MILLIS = 20_000;

  private final int port;
  private final long apart; // nanoseconds between two requests of all connections
  private final long start;
  private final long measured;
  private final long end;
  private final Tally tally;

  private Load(int port, long perSecond, long warmUpNanos, long nanos, Tally tally) {
    this.port = port;
    this.tally = tally;
    this.apart = TimeUnit.SECONDS.toNanos(1) / perSecond;
    this.start = System.nanoTime();
    this.measured = start + warmUpNanos;
    this.end = measured + nanos;
  }

  /** Offers a load, and counts after the time that the limit needs to adapt. */
  static void run(int port, long perSecond, long warmUpNanos, long nanos, Tally tally)
      throws InterruptedException {
    Load load = new Load(port, perSecond, warmUpNanos, nanos, tally);
    Thread[] clients = new Thread[CONNECTIONS];
    for (int i = 0; i < CONNECTIONS; i++) {
      int index = i;
      clients[i] = Thread.startVirtualThread(() -> load.offer(index));
    }
    for (Thread client : clients) {
      client.join();
    }
    tally.addNanos(nanos);
  }

  private void offer(int index) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(TIMEOUT_MILLIS);
      byte[] response = new byte[READ_MAX];
      for (long due = start + index * apart; due < end; due += CONNECTIONS * apart) {
        for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
          LockSupport.parkNanos(left);
        }
        long sent = System.nanoTime();
        if (sent > end) {
          return; // it is far behind
        }
        socket.getOutputStream().write(REQUEST);
        int status = status(socket.getInputStream(), response);
        long now = System.nanoTime();
        if (now > measured && now <= end) {
          tally.add(status, now - sent);
        }
      }
    } catch (IOException lost) {
      tally.addFailure();
    }
  }

  /** Reads a response, which arrives in one piece as a rule. Returns its status. */
  private static int status(InputStream in, byte[] into) throws IOException {
    int count = 0;
    while (true) {
      int read = in.read(into, count, into.length - count);
      if (read < 0) {
        throw new IOException("the server has closed the connection");
      }
      count += read;
      String text = new String(into, 0, count, StandardCharsets.US_ASCII);
      int content = text.indexOf("\r\n\r\n") + 4;
      int length = text.indexOf("Content-Length: ");
      if (content > 4 && length > 0) {
        int lengthEnd = text.indexOf('\r', length);
        int bytes =
            Integer.parseInt(text.substring(length + "Content-Length: ".length(), lengthEnd));
        if (count >= content + bytes) {
          return Integer.parseInt(text.substring(STATUS_AT, STATUS_AT + 3));
        }
      }
    }
  }
}
