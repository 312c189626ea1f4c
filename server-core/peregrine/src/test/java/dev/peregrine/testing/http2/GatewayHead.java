package dev.peregrine.testing.http2;

import dev.peregrine.testing.RawResponse.Field;
import dev.peregrine.testing.Requests;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The head of a request in the text of HTTP/1.1, as it becomes fields of HTTP/2, and back. */
final class GatewayHead {
  /** The fields that HTTP/2 doesn't have, and Host, which is :authority. */
  static final Set<String> OF_CONNECTIONS =
      Set.of(
          "host", "connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade");

  private static final Pattern ABSOLUTE = Pattern.compile("(https?)://([^/?]*)(.*)");

  final String method;
  final List<Field> fields = new ArrayList<>();
  boolean chunked;
  boolean tunnel; // CONNECT, perhaps an extended one
  boolean last;
  long length;

  private String authority = "";
  private String protocol = ""; // of an upgrade

  private GatewayHead(String method) {
    this.method = method;
  }

  /** Reads a head, lenient in everything, so that the server is the judge of it. */
  static GatewayHead parse(String text, String scheme) {
    String[] lines = text.split("\r?\n", -1);
    String[] parts = lines[0].split(" ", 3);
    GatewayHead head = new GatewayHead(parts[0]);
    head.last = parts.length == 3 && parts[2].equals("HTTP/1.0");
    List<Field> others = new ArrayList<>();
    for (int i = 1; i < lines.length; i++) {
      int colon = lines[i].indexOf(':');
      if (colon >= 0) {
        String name = lines[i].substring(0, colon).toLowerCase(Locale.ROOT);
        head.onField(name, lines[i].substring(colon + 1).strip(), others);
      }
    }
    head.pseudoFields(parts.length > 1 ? parts[1] : "", scheme);
    head.fields.addAll(others);
    return head;
  }

  private void onField(String name, String value, List<Field> others) {
    switch (name) {
      case "host" -> authority = value;
      case "connection" -> last |= value.equalsIgnoreCase("close");
      case "upgrade" -> protocol = value;
      case "transfer-encoding" -> chunked = true;
      case "content-length" -> length = value.matches("[0-9]{1,19}") ? Long.parseLong(value) : 0;
      default -> {}
    }
    if (name.equals("te")) {
      if (value.toLowerCase(Locale.ROOT).contains("trailers")) {
        others.add(new Field(name, "trailers")); // all that HTTP/2 permits
      }
    } else if (!OF_CONNECTIONS.contains(name)) {
      others.add(new Field(name, value));
    }
  }

  private void pseudoFields(String target, String scheme) {
    boolean upgrades = !protocol.isEmpty() && !chunked && length == 0;
    tunnel = method.equals("CONNECT") || upgrades;
    fields.add(new Field(":method", upgrades ? "CONNECT" : method));
    if (upgrades) {
      fields.add(new Field(":protocol", protocol));
    }
    Matcher absolute = ABSOLUTE.matcher(target);
    if (method.equals("CONNECT")) {
      fields.add(new Field(":authority", target));
    } else if (absolute.matches()) {
      fields.add(new Field(":scheme", absolute.group(1)));
      fields.add(new Field(":authority", absolute.group(2)));
      String path = absolute.group(3);
      fields.add(new Field(":path", path.startsWith("/") ? path : "/" + path));
    } else {
      fields.add(new Field(":scheme", scheme));
      if (!authority.isEmpty()) {
        fields.add(new Field(":authority", authority));
      }
      fields.add(new Field(":path", target));
    }
  }

  boolean hasContent() {
    return chunked || length > 0;
  }

  // ---- back ----

  /** Returns the head of a response in the text of HTTP/1.1. */
  static byte[] text(List<Field> fields, String framing) {
    int status = Integer.parseInt(fields.getFirst().value());
    StringBuilder text = new StringBuilder("HTTP/1.1 " + status + " " + reason(status) + "\r\n");
    for (Field field : fields.subList(1, fields.size())) {
      text.append(nameOf(field)).append(": ").append(field.value()).append("\r\n");
    }
    return Requests.bytes(text + framing + "\r\n");
  }

  /** Returns the head of a response that makes a tunnel, in the text of HTTP/1.1. */
  byte[] tunnelText(List<Field> response) {
    String framing = "";
    if (!protocol.isEmpty()) {
      response.set(0, new Field(":status", "101"));
      framing = "Connection: Upgrade\r\nUpgrade: " + protocol + "\r\n";
    }
    return text(response, framing);
  }

  /** Returns the name as HTTP/1.1 writes it: content-length becomes Content-Length. */
  static String nameOf(Field field) {
    StringBuilder name = new StringBuilder(field.name());
    for (int i = 0; i < name.length(); i++) {
      if (i == 0 || name.charAt(i - 1) == '-') {
        name.setCharAt(i, Character.toUpperCase(name.charAt(i)));
      }
    }
    return name.toString();
  }

  private static String reason(int status) {
    return switch (status) {
      case 100 -> "Continue";
      case 101 -> "Switching Protocols";
      case 103 -> "Early Hints";
      case 200 -> "OK";
      case 201 -> "Created";
      case 204 -> "No Content";
      case 206 -> "Partial Content";
      case 304 -> "Not Modified";
      case 400 -> "Bad Request";
      case 404 -> "Not Found";
      case 405 -> "Method Not Allowed";
      case 408 -> "Request Timeout";
      case 413 -> "Content Too Large";
      case 417 -> "Expectation Failed";
      case 500 -> "Internal Server Error";
      case 503 -> "Service Unavailable";
      default -> "";
    };
  }
}
