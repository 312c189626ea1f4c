package dev.peregrine.server.exchange;

import dev.peregrine.http.ContentType;
import dev.peregrine.parser.ParserLimits;
import dev.peregrine.parser.RequestParser;
import dev.peregrine.parser.ScannerKind;
import dev.peregrine.server.connection.Connection;
import dev.peregrine.server.exchange.bytes.ReceivedBytes;
import dev.peregrine.server.exchange.state.HttpStream;
import dev.peregrine.server.exchange.text.FieldLines;
import dev.peregrine.server.memory.Block;
import dev.peregrine.server.memory.BufferPool;
import dev.peregrine.server.memory.OpenFile;
import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.server.tunnel.TunnelUser;
import dev.peregrine.testing.Requests;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A stream of an in-memory protocol: many share a connection, content isn't framed, and content of
 * a response is sent only within the client's window. Records every call that the seam forbids.
 * Used on the loop's thread, in turns of the connection.
 */
final class MemoryStream extends HttpStream {
  private static final long CONTENT_MAX = 1024 * 1024;

  private final StreamServer server;
  private final Exchange exchange;
  private final ArrayDeque<byte[]> incoming = new ArrayDeque<>();
  private final ArrayDeque<ByteBuffer> outgoing = new ArrayDeque<>();
  private final ByteArrayOutputStream sent = new ByteArrayOutputStream();

  // What a client sees.
  final List<String> interims = new ArrayList<>();
  @Nullable String head;
  long length;
  String trailers = "";
  boolean ended;
  @Nullable CloseReason brokenOff;
  @Nullable TunnelUser tunnel;
  int flushes;

  // What the protocol knows.
  final List<String> taken = new ArrayList<>();
  int demands;
  boolean readingStopped;
  boolean loadShed;
  boolean clientWatched;
  boolean over;
  boolean reusable;
  private boolean clientEnded;
  private Rest rest = Rest.NOTHING;
  private boolean endGiven;
  private long given;
  private long window;
  private boolean blockedSeen;
  private boolean endsContent;

  MemoryStream(StreamServer server) {
    this.server = server;
    this.exchange = new Exchange(server.context, this);
  }

  Exchange exchange() {
    return exchange;
  }

  // ---- the client's side ----

  /** Begins a request and calls its handler. The bytes of the head are gone after this turn. */
  void request(Connection connection, String method, String target, long contentLength, String more)
      throws IOException {
    BufferPool pool = connection.loop().bufferPool();
    byte[] text =
        Requests.bytes(method + " " + target + " HTTP/1.1\r\nHost: a\r\n" + more + "\r\n");
    Block block = pool.acquire(text.length + BufferPool.SLACK_BYTES);
    MemorySegment bytes = block.segment();
    MemorySegment.copy(text, 0, bytes, ValueLayout.JAVA_BYTE, 0, text.length);
    try {
      RequestParser parser = new RequestParser(ParserLimits.DEFAULT, ScannerKind.SWAR);
      if (parser.parse(bytes, 0, text.length, exchange().head()) != text.length) {
        throw new AssertionError("not a head: " + exchange().head().rejection());
      }
      forget();
      endsContent = contentLength == 0;
      exchange().begin(connection, bytes, 0, contentLength);
      exchange().handle();
      advance();
    } finally {
      bytes.fill((byte) '!');
      pool.release(block);
    }
  }

  private void forget() {
    incoming.clear();
    sent.reset();
    interims.clear();
    taken.clear();
    head = null;
    trailers = "";
    ended = false;
    endGiven = false;
    given = 0;
    demands = 0;
    readingStopped = false;
    over = false;
    window = CONTENT_MAX;
  }

  /** Sends content; an empty array is its end. */
  void content(byte[] piece) {
    incoming.add(piece);
  }

  /** Widens the client's window by a number of bytes. */
  void grant(long bytes) {
    window += bytes;
    pump();
    if (blockedSeen && outgoing.isEmpty()) {
      blockedSeen = false;
      exchange().onWritable();
    }
  }

  void takeNothing() {
    window = 0;
  }

  void endClient() {
    clientEnded = true;
    if (clientWatched) {
      exchange().onClientEnd();
    }
  }

  String text() {
    return sent.toString(StandardCharsets.ISO_8859_1);
  }

  // ---- the protocol's side ----

  /**
   * Passes content on as the exchange takes it, and ends the exchange when both messages are
   * complete.
   */
  void advance() {
    if (over || !exchange().connection().isOpen()) {
      return;
    }
    while (exchange().content().isHungry() && !incoming.isEmpty() && !readingStopped) {
      pass(incoming.poll());
    }
    if (!exchange().isComplete() || !outgoing.isEmpty()) {
      long ignored = exchange().keep();
      return;
    }
    over = true;
    if (!endsContent) {
      exchange().content().dismiss();
    }
    reusable = exchange().end();
    server.onOver(this);
  }

  private void pass(byte[] piece) {
    if (piece.length == 0) {
      endsContent = true;
      exchange().content().end();
      return;
    }
    BufferPool pool = exchange().connection().loop().bufferPool();
    Block block = pool.acquire(piece.length);
    try {
      MemorySegment.copy(piece, 0, block.segment(), ValueLayout.JAVA_BYTE, 0, piece.length);
      exchange().content().receive(block, 0, piece.length);
    } finally {
      pool.release(block);
    }
  }

  private void pump() {
    while (!outgoing.isEmpty()) {
      ByteBuffer next = outgoing.peek();
      byte[] part = new byte[(int) Math.min(window, next.remaining())];
      next.get(part);
      sent.writeBytes(part);
      window -= part.length;
      if (next.hasRemaining()) {
        return;
      }
      outgoing.remove();
    }
    ended = endGiven;
  }

  private void require(boolean condition, String rule) {
    if (!condition || !exchange().connection().isInTurn()) {
      server.violations.add(condition ? rule + " outside of a turn" : rule);
    }
  }

  private void add(ByteBuffer content) {
    require(head != null && rest != Rest.NOTHING && !endGiven, "content where none may come");
    given += content.remaining();
    require(length < 0 || given <= length, "more content than declared");
    outgoing.add(content);
    pump();
  }

  // ---- the seam ----

  @Override
  public boolean takeField(String name, String value) {
    if (!name.equalsIgnoreCase("Connection")) {
      return false;
    }
    taken.add(name + ": " + value);
    return true;
  }

  @Override
  public void interim(int status, FieldLines fields) {
    server.passPoint();
    require(head == null, "interim response after the head");
    interims.add(status + text(fields));
    server.passPoint();
  }

  @Override
  public void head(
      int status,
      @Nullable ContentType type,
      FieldLines fields,
      long declared,
      byte @Nullable [] content,
      Rest following) {
    server.passPoint();
    require(head == null, "second head");
    head = status + (type == null ? "" : " " + type) + text(fields);
    length = declared;
    rest = following;
    endGiven = following == Rest.NOTHING;
    if (content != null) {
      require(endGiven, "content after all content");
      boolean copied = declared <= COPIED_CONTENT_BYTES_MAX;
      byte[] all = copied ? Arrays.copyOf(content, (int) declared) : content;
      outgoing.add(ByteBuffer.wrap(all, 0, (int) declared));
    }
    pump();
    server.passPoint();
  }

  private static String text(FieldLines fields) {
    String lines = new String(fields.array(), 0, fields.length(), StandardCharsets.ISO_8859_1);
    return lines.isEmpty() ? "" : " " + lines.replace("\r\n", " ").strip();
  }

  @Override
  public void write(byte[] source, int from, int count) {
    server.passPoint();
    add(ByteBuffer.wrap(source, from, count));
    server.passPoint();
  }

  @Override
  public void write(ByteBuffer source) {
    server.passPoint();
    add(source.duplicate());
    server.passPoint();
  }

  @Override
  public void write(ReceivedBytes source, int count) {
    server.passPoint();
    byte[] copy = new byte[count];
    source.copyTo(0, copy, 0, count);
    add(ByteBuffer.wrap(copy));
    server.passPoint();
  }

  @Override
  public void write(Block source, int count) {
    server.passPoint();
    add(ByteBuffer.wrap(source.segment().asSlice(0, count).toArray(ValueLayout.JAVA_BYTE)));
    exchange().connection().loop().bufferPool().release(source);
  }

  @Override
  public void write(OpenFile source, long position, long count) throws IOException {
    try {
      ByteBuffer copy = ByteBuffer.allocate((int) count);
      while (copy.hasRemaining()) {
        if (source.channel().read(copy, position + copy.position()) < 0) {
          throw new IOException("the file is too short");
        }
      }
      add(copy.flip());
    } finally {
      source.release();
    }
    server.passPoint();
  }

  @Override
  public void end(FieldLines trailerLines) {
    server.passPoint();
    require(head != null && rest != Rest.NOTHING && !endGiven, "end where none may come");
    require(length < 0 || given == length, "less content than declared");
    trailers = text(trailerLines).strip();
    endGiven = true;
    pump();
    server.passPoint();
  }

  @Override
  public void flush() {
    server.passPoint();
    require(head != null || !interims.isEmpty(), "flush before any head");
    flushes++;
    server.passPoint();
  }

  @Override
  public boolean requestRoom() {
    blockedSeen |= !outgoing.isEmpty();
    return outgoing.isEmpty();
  }

  @Override
  public boolean makeRoom() {
    blockedSeen |= !outgoing.isEmpty();
    return outgoing.isEmpty();
  }

  @Override
  public void breakOff(CloseReason reason) {
    require(brokenOff == null, "second break");
    brokenOff = reason;
    over = true;
    exchange().abandon(reason);
  }

  @Override
  public void handOver(int status, @Nullable ContentType type, FieldLines fields, TunnelUser user) {
    server.passPoint();
    require(head == null, "second head");
    head = status + text(fields);
    length = NO_CONTENT;
    endGiven = true;
    tunnel = user;
    server.passPoint();
  }

  @Override
  public void demand() {
    require(!readingStopped, "demand after the end");
    demands++;
  }

  @Override
  public void stopReading() {
    require(!readingStopped, "second stop");
    readingStopped = true;
  }

  @Override
  public boolean isClientEnded() {
    return clientEnded;
  }

  @Override
  public void watchClientEnd() {
    clientWatched = true;
  }

  @Override
  public void shedLoad() {
    loadShed = true;
  }
}
