package dev.peregrine.testing.http2;

import java.util.List;

/** The error codes of RFC 9113, section 7, in the order of their numbers. */
public enum Http2Code {
  NO_ERROR,
  PROTOCOL_ERROR,
  INTERNAL_ERROR,
  FLOW_CONTROL_ERROR,
  SETTINGS_TIMEOUT,
  STREAM_CLOSED,
  FRAME_SIZE_ERROR,
  REFUSED_STREAM,
  CANCEL,
  COMPRESSION_ERROR,
  CONNECT_ERROR,
  ENHANCE_YOUR_CALM,
  INADEQUATE_SECURITY,
  HTTP_1_1_REQUIRED;

  private static final List<Http2Code> BY_NUMBER = List.of(values());

  /** Returns the number on the wire. */
  public int number() {
    return BY_NUMBER.indexOf(this);
  }

  /** Returns the code of a number. */
  public static Http2Code of(int number) {
    return BY_NUMBER.get(number);
  }

  /** Returns the name of a code, or its number if the specification doesn't define it. */
  public static String describe(long code) {
    return code >= 0 && code < BY_NUMBER.size() ? of((int) code).name() : "code " + code;
  }
}
