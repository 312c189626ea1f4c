package dev.peregrine.http.multipart;

import dev.peregrine.base.Utf8;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.multipart.ParameterizedValue.Quoting;
import dev.peregrine.protocol.FieldSyntax;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the header fields of one part (RFC 7578 section 4). */
final class PartHeadReader {
  private static final Set<String> IDENTITY_ENCODINGS = Set.of("7bit", "8bit", "binary");

  private final byte[] bytes;
  private final MultipartLimits limits;
  private final List<String> names = new ArrayList<>();
  private final List<String> values = new ArrayList<>();
  private @Nullable ParameterizedValue disposition;
  private boolean hasType;

  private PartHeadReader(byte[] bytes, MultipartLimits limits) {
    this.bytes = bytes;
    this.limits = limits;
  }

  /**
   * Reads a head.
   *
   * @param bytes lines that end with CR LF, of which the last is empty
   * @param dashBoundary the text that begins a delimiter's line
   * @throws HttpException 400 if the head is malformed, 413 if a name is too long
   */
  static PartHead read(byte[] bytes, int length, byte[] dashBoundary, MultipartLimits limits) {
    if (!Utf8.isText(bytes, 0, length)) {
      throw MultipartFault.malformed("the header of a part is not UTF-8, or has a NUL");
    }
    PartHeadReader reader = new PartHeadReader(bytes, limits);
    int from = 0;
    while (bytes[from] != '\r') {
      int to = from;
      while (bytes[to] != '\r') {
        to++;
      }
      if (startsWith(dashBoundary, bytes, from, to)) {
        throw MultipartFault.malformed("a boundary within the header of a part");
      }
      reader.readLine(from, to);
      from = to + 2;
    }
    return reader.result();
  }

  private static boolean startsWith(byte[] start, byte[] bytes, int from, int to) {
    for (int i = 0; i < start.length; i++) {
      if (from + i >= to || bytes[from + i] != start[i]) {
        return false;
      }
    }
    return true;
  }

  private void readLine(int from, int to) {
    if (ParameterizedValue.isBlank(bytes[from])) {
      throw MultipartFault.malformed("a header field of a part is folded over two lines");
    }
    int colon = from;
    while (colon < to && bytes[colon] != ':') {
      colon++;
    }
    int valueFrom = ParameterizedValue.blanksEnd(bytes, Math.min(colon + 1, to), to);
    int valueTo = ParameterizedValue.blanksBefore(bytes, valueFrom, to);
    if (colon == to
        || !FieldSyntax.isToken(bytes, from, colon)
        || !FieldSyntax.isFieldValue(bytes, valueFrom, valueTo)) {
      throw MultipartFault.malformed("a header field of a part is malformed");
    }
    String name = text(from, colon);
    names.add(name);
    values.add(text(valueFrom, valueTo));
    switch (name.toLowerCase(Locale.ROOT)) {
      case "content-disposition" -> readDisposition(valueFrom, valueTo);
      case "content-type" -> {
        if (hasType) {
          throw MultipartFault.malformed("a part has two Content-Type fields");
        }
        hasType = true;
      }
      case "content-transfer-encoding" -> {
        if (!IDENTITY_ENCODINGS.contains(values.getLast().toLowerCase(Locale.ROOT))) {
          throw MultipartFault.malformed("a Content-Transfer-Encoding that changes the bytes");
        }
      }
      default -> {
        // kept for the application
      }
    }
  }

  private void readDisposition(int from, int to) {
    if (disposition != null) {
      throw MultipartFault.malformed("a part has two Content-Disposition fields");
    }
    disposition = ParameterizedValue.parse(bytes, from, to, Quoting.FORM);
    if (disposition == null || !disposition.value().equals("form-data")) {
      throw MultipartFault.malformed("the Content-Disposition of a part is malformed");
    }
  }

  private PartHead result() {
    String name = disposition == null ? null : disposition.parameters().get("name");
    if (disposition == null || name == null) {
      throw MultipartFault.malformed("a part without a name");
    }
    String filename = disposition.parameters().get("filename");
    check("a name", name);
    if (filename != null) {
      check("a file name", filename);
    } else if (disposition.parameters().containsKey("filename*")) {
      throw MultipartFault.malformed("a part has filename*, but no filename (RFC 7578 4.2)");
    }
    return new PartHead(name, filename, names, values);
  }

  private void check(String what, String name) {
    if (name.getBytes(StandardCharsets.UTF_8).length > limits.nameBytesMax()) {
      throw MultipartFault.tooLarge(what, limits.nameBytesMax(), "bytes", "nameBytesMax");
    }
  }

  private String text(int from, int to) {
    return new String(bytes, from, to - from, StandardCharsets.UTF_8);
  }
}
