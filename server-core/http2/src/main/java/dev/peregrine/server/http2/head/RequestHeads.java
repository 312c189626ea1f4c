package dev.peregrine.server.http2.head;

import dev.peregrine.parser.Http2HeadReader;
import dev.peregrine.parser.RequestHead;
import dev.peregrine.parser.hpack.DecodedFields;
import dev.peregrine.parser.hpack.HpackDecoder;
import dev.peregrine.protocol.Rejection;
import dev.peregrine.server.connection.Connection;
import dev.peregrine.server.exchange.text.TargetHost;
import dev.peregrine.server.exchange.text.TargetScheme;
import dev.peregrine.server.http2.frame.LocalSettings;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads field blocks as heads of requests or as trailers. One per event loop. */
public final class RequestHeads {
  private final LocalSettings settings;
  private final Http2HeadReader reader;
  private final boolean acceptsHttps; // requests on connections without TLS may be https
  private DecodedFields fields;

  public RequestHeads(LocalSettings settings, Http2HeadReader reader, boolean acceptsHttps) {
    this.settings = settings;
    this.reader = reader;
    this.acceptsHttps = acceptsHttps;
    this.fields = createFields();
  }

  /** Creates the memory for {@link #leaveFields}. */
  public DecodedFields createFields() {
    return new DecodedFields(settings.headerBytesMax(), settings.fieldsMax());
  }

  /** Decodes a block. Returns false if it can't be decoded, as no later one can be then. */
  public boolean decode(HpackDecoder decoder, MemorySegment bytes, long from, long to) {
    return decoder.decode(bytes, from, to, fields);
  }

  /** Returns the memory that the fields were decoded into. */
  public MemorySegment bytes() {
    return fields.segment();
  }

  /** Returns the length of all names and values, in bytes. */
  public int textLength() {
    return fields.textLength();
  }

  /**
   * Fills a head from the decoded fields. Returns why the request must be rejected, or null.
   *
   * @param isSecure whether the connection is secured
   * @param restrictsHosts whether it serves some hosts only
   */
  public @Nullable Rejection read(
      Connection connection, boolean isSecure, boolean restrictsHosts, RequestHead head) {
    if (!reader.read(fields, head)) {
      return Objects.requireNonNull(head.rejection());
    }
    Rejection wrong = null;
    if (head.schemeStart() >= 0) { // otherwise it is CONNECT
      wrong = TargetScheme.check(bytes(), 0, head, acceptsHttps || isSecure);
    }
    if (wrong == null && restrictsHosts) {
      wrong = TargetHost.check(bytes(), 0, head, connection);
    }
    return wrong;
  }

  /** Returns the decoded trailer fields, names and values in turns; null if they are malformed. */
  public @Nullable List<String> readTrailers() {
    List<String> trailers = new ArrayList<>();
    return reader.readTrailers(fields, trailers) == null ? trailers : null;
  }

  /**
   * Leaves the decoded fields to a handler that still reads them, and the garbage collector then.
   *
   * @param next from {@link #createFields}
   */
  public void leaveFields(DecodedFields next) {
    fields = next;
  }
}
