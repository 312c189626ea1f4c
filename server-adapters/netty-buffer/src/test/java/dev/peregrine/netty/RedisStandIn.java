package dev.peregrine.netty;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A server that speaks as much of Redis's protocol (RESP2) as GET and SET of a client need. */
final class RedisStandIn implements AutoCloseable {
  private final ServerSocket listening = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
  private final Map<String, String> values = new ConcurrentHashMap<>();

  RedisStandIn() throws IOException {
    Thread.startVirtualThread(this::accept);
  }

  int port() {
    return listening.getLocalPort();
  }

  @Override
  public void close() throws IOException {
    listening.close();
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = listening.accept();
        Thread.startVirtualThread(() -> serve(socket));
      }
    } catch (IOException closed) {
      // the end of the test
    }
  }

  private void serve(Socket socket) {
    try (socket;
        InputStream in = new BufferedInputStream(socket.getInputStream());
        OutputStream out = socket.getOutputStream()) {
      while (true) {
        out.write(reply(readCommand(in)).getBytes(StandardCharsets.UTF_8));
      }
    } catch (IOException gone) {
      // the client's end
    }
  }

  private String reply(List<String> command) {
    return switch (command.getFirst().toUpperCase(Locale.ROOT)) {
      case "GET" -> bulk(values.get(command.get(1)));
      case "SET" -> {
        values.put(command.get(1), command.get(2));
        yield "+OK\r\n";
      }
      case "CLIENT" -> "+OK\r\n";
      case "PING" -> "+PONG\r\n";
      default -> "-ERR unknown command\r\n"; // also for HELLO, so that the client speaks RESP2
    };
  }

  private static String bulk(@Nullable String value) {
    return value == null
        ? "$-1\r\n"
        : "$" + value.getBytes(StandardCharsets.UTF_8).length + "\r\n" + value + "\r\n";
  }

  private static List<String> readCommand(InputStream in) throws IOException {
    int count = Integer.parseInt(readLine(in).substring(1)); // after *
    List<String> command = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int length = Integer.parseInt(readLine(in).substring(1)); // after $
      command.add(new String(in.readNBytes(length), StandardCharsets.UTF_8));
      in.skipNBytes(2);
    }
    return command;
  }

  private static String readLine(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = in.read(); next != '\r'; next = in.read()) {
      if (next < 0) {
        throw new EOFException();
      }
      line.append((char) next);
    }
    in.skipNBytes(1);
    return line.toString();
  }
}
