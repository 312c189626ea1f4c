package dev.peregrine.http.multipart;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The rules of multipart content as a plain reader of the whole content, in Latin-1. */
final class PlainMultipart {
  private static final String TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
  private static final Pattern FIELD = Pattern.compile("(" + TOKEN + "):[ \t]*(.*?)[ \t]*");
  private static final Pattern PARAMETER =
      Pattern.compile(
          ";[ \t]*(" + TOKEN + ")=(?:(" + TOKEN + ")|\"((?:\\\\[\"\\\\]|[^\"])*+)\")[ \t]*");
  private static final String LINE_END = "\r\n";

  private final String text;
  private final String delimiter;
  private final MultipartLimits limits;
  private final List<String> result = new ArrayList<>();
  private int at;

  private PlainMultipart(String content, String boundary, MultipartLimits limits) {
    this.text = LINE_END + content;
    this.delimiter = LINE_END + "--" + boundary;
    this.limits = limits;
  }

  /** Returns the parts, and at the end the word "end" or the status of a failure. */
  static List<String> read(String content, String boundary, MultipartLimits limits) {
    PlainMultipart reader = new PlainMultipart(content, boundary, limits);
    reader.result.add(reader.readAll());
    return reader.result;
  }

  private String readAll() {
    int first = text.indexOf(delimiter);
    if (text.startsWith(LINE_END + "--") && first != 0) {
      return "400";
    }
    int preambleTo = first < 0 ? unfinishedFrom() : first;
    if (preambleTo - 2 > limits.preambleBytesMax()) {
      return "413";
    }
    at = first + delimiter.length();
    while (first >= 0 && !text.startsWith("--", at)) {
      if (!skipLine()) {
        return "400";
      }
      String failure = readPart();
      if (!failure.isEmpty()) {
        return failure;
      }
    }
    boolean partless = result.isEmpty() && preambleTo > 2;
    return first < 0 || partless ? "400" : readEnd();
  }

  /** Returns where the longest beginning of a delimiter at the end of the text begins. */
  private int unfinishedFrom() {
    int from = Math.max(0, text.length() - delimiter.length());
    while (!delimiter.startsWith(text.substring(from))) {
      from++;
    }
    return from;
  }

  private void skipPadding() {
    int from = at;
    while (at < text.length() && at - from < 64 && " \t".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  private boolean skipLine() {
    skipPadding();
    boolean ends = text.startsWith(LINE_END, at);
    at += 2;
    return ends;
  }

  private String readEnd() {
    at += 2;
    skipPadding();
    if (at == text.length()) {
      return "end";
    }
    if (!text.startsWith(LINE_END, at)) {
      return "400";
    }
    return text.length() - at - 2 > limits.epilogueBytesMax() ? "413" : "end";
  }

  private String readPart() {
    if (result.size() == limits.partsMax()) {
      return "413";
    }
    int from = at;
    int lineFrom = at;
    do {
      if (at == text.length()) {
        return "400";
      }
      if (at - from == limits.headerBytesMax()) {
        return "413";
      }
      boolean afterCr = at > from && text.charAt(at - 1) == '\r';
      if (afterCr != (text.charAt(at) == '\n')) {
        return "400";
      }
      if (afterCr && at - lineFrom > 1) {
        lineFrom = at + 1;
      }
      at++;
    } while (!text.substring(lineFrom, at).equals(LINE_END));
    String head = readHead(text.substring(from, at - 2));
    if (head.equals("400") || head.equals("413")) {
      return head;
    }
    int end = text.indexOf(delimiter, at - 2);
    if (end < 0) {
      return "400";
    }
    result.add(head + text.substring(Math.min(at, end), end));
    at = end + delimiter.length();
    return "";
  }

  private String readHead(String head) {
    if (head.indexOf('\0') >= 0) {
      return "400";
    }
    Map<String, String> fields = new HashMap<>();
    for (String line : head.isEmpty() ? new String[0] : head.split(LINE_END)) {
      Matcher field = FIELD.matcher(line);
      boolean begins = (LINE_END + line).startsWith(delimiter);
      if (begins || !field.matches() || line.matches(".*[\\x00-\\x08\\x0A-\\x1F\\x7F].*")) {
        return "400";
      }
      String name = field.group(1).toLowerCase(Locale.ROOT);
      boolean once = name.equals("content-disposition") || name.equals("content-type");
      if (fields.put(name, field.group(2)) != null && once) {
        return "400";
      }
      if (name.equals("content-transfer-encoding")
          && !field.group(2).matches("(?i)7bit|8bit|binary")) {
        return "400";
      }
    }
    return readDisposition(fields.getOrDefault("content-disposition", ""), head);
  }

  private String readDisposition(String value, String head) {
    if (!value.matches("(?is)form-data[ \t]*(;.*)?")) {
      return "400";
    }
    Map<String, String> parameters = new HashMap<>();
    int semicolon = value.indexOf(';');
    Matcher parameter = PARAMETER.matcher(value);
    int from = semicolon < 0 ? value.length() : semicolon;
    while (from < value.length()) {
      if (!parameter.find(from) || parameter.start() != from) {
        return "400";
      }
      String text = parameter.group(2) != null ? parameter.group(2) : plain(parameter.group(3));
      if (parameters.put(parameter.group(1).toLowerCase(Locale.ROOT), text) != null) {
        return "400";
      }
      from = parameter.end();
    }
    String name = parameters.get("name");
    String filename = parameters.get("filename");
    try {
      StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(head.getBytes(StandardCharsets.ISO_8859_1)));
    } catch (CharacterCodingException notText) {
      return "400";
    }
    if (name == null) {
      return "400";
    }
    if (name.length() > limits.nameBytesMax()
        || (filename != null && filename.length() > limits.nameBytesMax())) {
      return "413";
    }
    if (filename == null && parameters.containsKey("filename*")) {
      return "400";
    }
    return "[" + name + "|" + filename + "]";
  }

  private static String plain(String quoted) {
    StringBuilder plain = new StringBuilder();
    for (int i = 0; i < quoted.length(); i++) {
      char c = quoted.charAt(i);
      String rest = quoted.substring(i).toUpperCase(Locale.ROOT);
      if (rest.startsWith("%22") || rest.startsWith("%0D") || rest.startsWith("%0A")) {
        plain.append(rest.startsWith("%22") ? '"' : rest.startsWith("%0D") ? '\r' : '\n');
        i += 2;
      } else if (rest.startsWith("\\\"") || rest.startsWith("\\\\")) {
        plain.append(rest.charAt(1));
        i++;
      } else {
        plain.append(c);
      }
    }
    return plain.toString();
  }
}
