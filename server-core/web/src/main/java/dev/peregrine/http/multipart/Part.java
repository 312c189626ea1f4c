package dev.peregrine.http.multipart;

import dev.peregrine.base.Range;
import dev.peregrine.base.Utf8;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.multipart.MultipartDecoder.Event;
import dev.peregrine.http.multipart.ParameterizedValue.Quoting;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A part of a {@link MultipartReader}, whose content can be read once, until the next part. All
 * methods that read throw {@link IOException} if the client disconnects or breaks the framing, or
 * if the reader has gone on to another part; and {@link HttpException} with 400 if the content is
 * malformed, with 413 if it exceeds a limit. Not thread-safe.
 */
public final class Part {
  private final MultipartReader reader;
  private final PartHead head;
  private final MultipartLimits limits;
  private final InputStream stream;
  private MemorySegment data = MemorySegment.NULL; // received, but not read
  private long from;
  private long to;
  private boolean ended;

  Part(MultipartReader reader, PartHead head, MultipartLimits limits) {
    this.reader = reader;
    this.head = head;
    this.limits = limits;
    this.stream = new PartInputStream(this);
  }

  /** Returns the name and the header fields. */
  public PartHead head() {
    return head;
  }

  /** Returns the name of the form's field. */
  public String name() {
    return head.name();
  }

  /** Returns the client's name of the file, see {@link PartHead#filename}. */
  public @Nullable String filename() {
    return head.filename();
  }

  /** Returns true if the part has a file name. */
  public boolean isFile() {
    return head.isFile();
  }

  /** Returns the content as a stream, the same at each call. It needs no {@code close}. */
  public InputStream inputStream() {
    return stream;
  }

  /**
   * Reads the content as UTF-8 text of at most {@link MultipartLimits#fieldBytesMax} bytes.
   *
   * @throws HttpException 400 if it isn't UTF-8 or has a NUL, 415 if it is declared in another
   *     charset, 413 if it is larger
   */
  public String text() throws IOException {
    return new String(textBytes(), StandardCharsets.UTF_8);
  }

  /** Reads the content as {@link #text} does, without decoding it. */
  byte[] textBytes() throws IOException {
    if (!isUtf8()) {
      throw MultipartFault.unsupported("text of a multipart form must be UTF-8");
    }
    byte[] bytes = readAll(limits.fieldBytesMax(), "fieldBytesMax");
    if (!Utf8.isText(bytes, 0, bytes.length)) {
      throw MultipartFault.malformed("a field is not UTF-8, or has a NUL");
    }
    return bytes;
  }

  private boolean isUtf8() {
    String type = head.contentType();
    if (type == null) {
      return true;
    }
    byte[] bytes = type.getBytes(StandardCharsets.UTF_8);
    ParameterizedValue value = ParameterizedValue.parse(bytes, 0, bytes.length, Quoting.HTTP);
    if (value == null) {
      return false;
    }
    String charset = value.parameters().get("charset");
    return charset == null
        || charset.equalsIgnoreCase("utf-8")
        || charset.equalsIgnoreCase("us-ascii");
  }

  /**
   * Reads the content into an array, which grows with the bytes that arrive.
   *
   * @param bytesMax 0 or more
   * @throws HttpException 413 if the content is larger
   */
  public byte[] readAll(int bytesMax) throws IOException {
    Range.checkAtLeast("bytesMax", bytesMax, 0);
    return readAll(bytesMax, "bytesMax");
  }

  private byte[] readAll(int bytesMax, String option) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    while (fill()) {
      if (to - from > bytesMax - bytes.size()) {
        throw MultipartFault.tooLarge("a field", bytesMax, "bytes", option);
      }
      byte[] piece = new byte[(int) (to - from)];
      take(piece, 0, piece.length);
      bytes.writeBytes(piece);
    }
    return bytes.toByteArray();
  }

  /**
   * Writes the content to a channel, such as one of the application's storage, as fast as the
   * channel takes it.
   *
   * @param target in blocking mode, not closed by this
   * @return the number of bytes
   */
  public long transferTo(WritableByteChannel target) throws IOException {
    Objects.requireNonNull(target, "target");
    long count = 0;
    while (fill()) {
      ByteBuffer bytes = data.asSlice(from, to - from).asByteBuffer();
      count += bytes.remaining();
      while (bytes.hasRemaining()) {
        target.write(bytes);
      }
      from = to;
    }
    return count;
  }

  /**
   * Writes the content to a new file, which is deleted if that fails.
   *
   * @param target a path that the application has chosen, never one with the client's file name
   * @return the number of bytes
   * @throws java.nio.file.FileAlreadyExistsException if the file exists
   */
  public long transferTo(Path target) throws IOException {
    Files.createFile(target);
    return overwrite(target);
  }

  /** Writes the content to an empty file, which is deleted if that fails. */
  long overwrite(Path target) throws IOException {
    try {
      return write(FileChannel.open(target, StandardOpenOption.WRITE));
    } catch (Throwable failure) {
      discard(target, failure);
      throw failure;
    }
  }

  /** Writes the content to a file and closes it. */
  private long write(FileChannel file) throws IOException {
    long bytes;
    try {
      bytes = transferTo(file);
    } catch (Throwable failure) { // not try-with-resources: see Failures
      try {
        file.close();
      } catch (Throwable notClosed) {
        Failures.add(failure, notClosed);
      }
      throw failure;
    }
    file.close();
    return bytes;
  }

  /** Deletes a file because of a failure, to which it adds its own. */
  static void discard(Path file, Throwable failure) {
    try {
      Files.deleteIfExists(file);
    } catch (Throwable notDeleted) {
      Failures.add(failure, notDeleted);
    }
  }

  /** Reads and drops what is left. */
  void discard() throws IOException {
    from = to;
    while (!ended) {
      ended = reader.nextEvent() == Event.PART_END;
    }
  }

  /** Waits for bytes. Returns false at the end of the part. */
  boolean fill() throws IOException {
    if (!reader.isCurrent(this)) {
      throw new IOException("the reader has gone on to another part, or is closed");
    }
    while (from == to && !ended) {
      if (reader.nextEvent() == Event.DATA) {
        data = reader.decoder().data();
        from = reader.decoder().dataFrom();
        to = reader.decoder().dataTo();
      } else {
        ended = true;
      }
    }
    return from < to;
  }

  /** Returns the number of bytes that can be read without waiting. */
  int available() {
    return reader.isCurrent(this) ? (int) (to - from) : 0;
  }

  /** Takes bytes, as many as are there and as the target has room for. Returns their number. */
  int take(byte[] target, int targetFrom, int length) {
    int count = (int) Math.min(length, to - from);
    MemorySegment.copy(data, ValueLayout.JAVA_BYTE, from, target, targetFrom, count);
    from += count;
    return count;
  }
}
