package dev.peregrine.spring.boot;

import dev.peregrine.http.Handler;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.http.coding.Compression;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.util.InvalidMimeTypeException;
import org.springframework.util.MimeType;
import org.springframework.util.MimeTypeUtils;
import org.springframework.util.unit.DataSize;

/** Compresses responses by the options of Spring Boot, except for clients of some names. */
final class CompressedHandler implements Handler {
  private static final String USER_AGENT = "User-Agent";

  private final Handler plain;
  private final Handler compressed;
  private final Set<String> excludedAgents = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);

  private CompressedHandler(Handler plain, Handler compressed, String[] excluded) {
    this.plain = plain;
    this.compressed = compressed;
    excludedAgents.addAll(Arrays.asList(excluded));
  }

  static Handler of(Handler handler, org.springframework.boot.web.server.Compression options) {
    List<MimeType> types =
        Arrays.stream(options.getMimeTypes()).map(MimeTypeUtils::parseMimeType).toList();
    Handler compressed =
        Compression.builder(handler)
            .bytesMin(bytesMin(options.getMinResponseSize()))
            .types(name -> types.isEmpty() || isOneOf(types, name))
            .build();
    String[] excluded = options.getExcludedUserAgents();
    return excluded == null || excluded.length == 0
        ? compressed
        : new CompressedHandler(handler, compressed, excluded);
  }

  private static int bytesMin(DataSize size) {
    return Math.clamp(size.toBytes(), 0, Integer.MAX_VALUE);
  }

  /** Returns true if one of the types includes the named one; no type includes a malformed name. */
  private static boolean isOneOf(List<MimeType> types, String name) {
    MimeType sent;
    try {
      sent = MimeTypeUtils.parseMimeType(name); // which remembers the last names
    } catch (InvalidMimeTypeException malformed) {
      return false;
    }
    return types.stream().anyMatch(type -> type.isCompatibleWith(sent));
  }

  @Override
  public Set<String> methods() {
    return plain.methods();
  }

  @Override
  public void handle(Request request, Response response) throws Exception {
    String agent = request.header(USER_AGENT);
    boolean isExcluded = agent != null && excludedAgents.contains(agent);
    (isExcluded ? plain : compressed).handle(request, response);
  }
}
