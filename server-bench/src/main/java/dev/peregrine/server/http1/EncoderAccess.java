package dev.peregrine.server.http1;

import dev.peregrine.http.ContentType;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.memory.OutboundQueue;

/**
 * Lets benchmarks measure {@link ResponseEncoder}, {@link ResponsePreamble}, {@link DateHeader}.
 */
public final class EncoderAccess {
  /** Bytes of a Date value. */
  public static final int DATE_BYTES = DateHeader.BYTES;

  private final ResponsePreamble preamble;
  private final ResponseEncoder encoder;
  private final FieldLines noFields = new FieldLines();

  /** An encoder of that loop. */
  public EncoderAccess(EventLoop loop, String serverName) {
    preamble = new ResponsePreamble(loop, serverName);
    encoder = new ResponseEncoder(preamble);
  }

  /** Writes the head of a 200 response. */
  public void head(OutboundQueue out, ContentType type, long length) {
    encoder.head(out, 200, type, noFields, length, null, false, false);
  }

  /** The Date line, its value up to now. */
  public byte[] freshDateLine() {
    preamble.refresh();
    return preamble.dateLine();
  }

  /** A date, formatted. */
  public static String date(long epochSecond) {
    return DateHeader.format(epochSecond);
  }
}
