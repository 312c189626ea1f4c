package dev.peregrine.server.conformance;

import dev.peregrine.http.Handler;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Reads the whole content and answers with the parsed request, on one line: the method, the path,
 * {@code ?} and the query, {@code @} and the host, {@code =} and the content, {@code ~} and the
 * trailer field {@code X-Trailer}; absent parts are left out. Trailer fields that must be dropped,
 * but weren't, have an exclamation mark.
 */
final class CorpusHandler implements Handler {
  private static final int BYTES_MAX = 1 << 20;
  private static final String[] FORBIDDEN_TRAILERS = {
    "Host", "Content-Length", "Transfer-Encoding", "Authorization", "Content-Type", "Cookie"
  };

  @Override
  public void handle(Request request, Response response) {
    request
        .body()
        .receiveAll(
            BYTES_MAX,
            content ->
                response.send(describe(request, content).getBytes(StandardCharsets.ISO_8859_1)));
  }

  static String describe(Request request, byte[] content) {
    StringBuilder text = new StringBuilder(request.methodName() + " " + request.path());
    add(text, " ?", request.query());
    add(text, " @", request.host());
    add(text, " =", content.length == 0 ? null : Escapes.text(content));
    add(text, " ~", request.body().trailer("X-Trailer"));
    for (String name : FORBIDDEN_TRAILERS) {
      if (request.body().trailer(name) != null) {
        text.append(" !").append(name);
      }
    }
    return text.toString();
  }

  private static void add(StringBuilder text, String prefix, @Nullable String value) {
    if (value != null) {
      text.append(prefix).append(value);
    }
  }
}
