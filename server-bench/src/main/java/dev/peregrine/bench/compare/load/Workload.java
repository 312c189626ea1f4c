package dev.peregrine.bench.compare.load;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The requests to the servers, in a closed loop: the next batch follows the last response. */
public enum Workload {
  ONE("plain text, one connection", "/plaintext", 1, 1, 0),
  MANY("plain text, 64 connections", "/plaintext", 64, 1, 0),
  PIPELINED("plain text, 64 connections, pipelined 16 deep", "/plaintext", 64, 16, 0),
  JSON("JSON, 64 connections", "/json", 64, 1, 0),
  ECHO("echo of 1 KiB, 64 connections", "/echo", 64, 1, 1024);

  private final String title;
  private final String path;
  private final int connections;
  private final int depth;
  private final int contentBytes;

  Workload(String title, String path, int connections, int depth, int contentBytes) {
    this.title = title;
    this.path = path;
    this.connections = connections;
    this.depth = depth;
    this.contentBytes = contentBytes;
  }

  /**
   * Returns the workload with that {@link #id}.
   *
   * @throws IllegalArgumentException if no workload has it; the message lists the names
   */
  public static Workload named(String id) {
    for (Workload workload : values()) {
      if (workload.id().equals(id)) {
        return workload;
      }
    }
    List<String> all = Arrays.stream(values()).map(Workload::id).toList();
    throw new IllegalArgumentException(
        "no workload is called " + id + "; there are " + String.join(", ", all));
  }

  /** Returns the name on command lines. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the name in reports. */
  public String title() {
    return title;
  }

  /** Returns the number of connections. */
  public int connections() {
    return connections;
  }

  /** Returns the number of requests that a connection sends at a time. */
  public int depth() {
    return depth;
  }

  /** Returns the length of a request's content. */
  public int contentBytes() {
    return contentBytes;
  }

  /** Returns the path of the requests. */
  public String path() {
    return path;
  }

  /** Returns the content of every request. */
  public String content() {
    return "x".repeat(contentBytes);
  }

  /** Returns the content of every response. */
  public String answer() {
    return switch (this) {
      case ONE, MANY, PIPELINED -> "Hello, World!";
      case JSON -> "{\"message\":\"Hello, World!\"}";
      case ECHO -> content();
    };
  }

  /** Returns a request as it is sent to a port of this machine. */
  public byte[] request(int port) {
    String target = path() + " HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\n";
    String request =
        contentBytes == 0
            ? "GET " + target + "\r\n"
            : "POST " + target + "Content-Length: " + contentBytes + "\r\n\r\n" + content();
    return request.getBytes(StandardCharsets.US_ASCII);
  }
}
