package dev.peregrine.server.fuzz;

import dev.peregrine.http.Handler;
import dev.peregrine.parser.ScannerKind;
import dev.peregrine.protocol.HttpMethod;
import dev.peregrine.server.MemoryServer;
import dev.peregrine.server.conformance.Conformance;
import dev.peregrine.testing.MemorySocket;
import dev.peregrine.testing.Servers;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Checks whole connections: responses are well framed and the same for every cut, scanner and size
 * of writes; no memory leaks, no problem is logged, and no connection stays open.
 */
final class ConnectionTarget implements AutoCloseable {
  private static final Pattern DATE = Pattern.compile("Date: [^\r]*");
  private static final int SHORT_WRITE_BYTES = 7;

  private final List<Boolean> heads = new ArrayList<>(); // by the loop's thread, in turns
  private final List<MemoryServer> servers = new ArrayList<>();

  private void start() {
    Handler handler = Conformance.handler();
    for (ScannerKind kind : ScannerKind.values()) {
      if (kind != ScannerKind.VECTOR || ScannerKind.vectorProblem() == null) {
        servers.add(
            new MemoryServer(
                (request, response) -> {
                  heads.add(request.method() == HttpMethod.HEAD);
                  handler.handle(request, response);
                },
                Servers.LIMITS,
                kind));
      }
    }
  }

  void run(byte[] data) {
    if (servers.isEmpty()) {
      start();
    }
    boolean hasHead = Conformance.text(data).contains("HEAD ");
    String expected = null;
    for (MemoryServer server : servers) {
      List<MemorySocket> sockets =
          List.of(
              new MemorySocket(List.of(data)),
              new MemorySocket(Cuts.single(data)),
              new MemorySocket(Cuts.random(data), SHORT_WRITE_BYTES));
      for (MemorySocket socket : sockets) {
        expected = check(server, socket, hasHead, expected);
      }
    }
  }

  private String check(
      MemoryServer server, MemorySocket socket, boolean hasHead, @Nullable String expected) {
    heads.clear();
    server.converse(socket);
    byte[] written = socket.written();
    String text = Conformance.text(written);
    // the last response may answer a HEAD that was rejected, before any handler
    boolean rejectsHead = hasHead && text.endsWith("\r\n\r\n");
    Conformance.requireWellFramed(
        written, index -> index < heads.size() ? heads.get(index) : rejectsHead);
    String answer = DATE.matcher(text).replaceAll("Date");
    if (expected != null && !answer.equals(expected)) {
      throw new AssertionError("answered " + answer + "\ninstead of " + expected);
    }
    return answer;
  }

  @Override
  public void close() {
    servers.forEach(MemoryServer::close);
  }
}
