package dev.peregrine.http.files;

import dev.peregrine.http.HttpException;
import dev.peregrine.http.HttpStatus;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.http.ResponseStream;
import dev.peregrine.protocol.HeaderName;
import dev.peregrine.protocol.HttpMethod;
import dev.peregrine.protocol.KnownHeader;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Answers a GET or HEAD with a representation: whole, in part, or not at all. HEAD takes the way of
 * GET with the content too, because a filter such as {@code Compression} derives fields from it.
 */
final class FileResponse {
  private static final String[] VALIDATORS = {
    HeaderName.ETAG, HeaderName.LAST_MODIFIED, HeaderName.VARY
  };

  private FileResponse() {}

  /**
   * Answers from memory, or from an open file if there is one.
   *
   * @param channel taken over if the result is true; null if the file isn't open
   * @param fromMemory whether the content is sent from memory, so that it may be compressed
   * @return false, with nothing done, if the content is needed, but neither in memory nor open
   */
  static boolean answer(
      Request request,
      Response response,
      Representation file,
      @Nullable FileChannel channel,
      boolean fromMemory) {
    Preconditions.Verdict verdict = Preconditions.judge(request, file);
    if (verdict == Preconditions.Verdict.NOT_MODIFIED) {
      boolean compressible = fromMemory && file.coding.isEmpty() && ranges(request, file) == null;
      response.addHeaders(file.validators);
      response.sendNotModified(compressible ? file.type : null, file.size);
      return true;
    }
    if (verdict == Preconditions.Verdict.FAILED) {
      int failed = HttpStatus.PRECONDITION_FAILED.code();
      fail(response, new HttpException(failed, "the file is another one by now"), file);
      return true;
    }
    List<ByteRange> ranges = ranges(request, file);
    if (ranges != null && ranges.isEmpty()) {
      HttpException failure =
          new HttpException(
              HttpStatus.RANGE_NOT_SATISFIABLE.code(), "the file has " + file.size + " bytes");
      fail(response, failure.header(HeaderName.CONTENT_RANGE, "bytes */" + file.size), file);
      return true;
    }
    if (file.content == null && channel == null) {
      return false;
    }
    response.contentType(file.type).addHeaders(file.fields);
    if (ranges == null) {
      sendWhole(response, file, channel);
    } else {
      response.status(HttpStatus.PARTIAL_CONTENT);
      send(response, ranges, file, channel);
    }
    return true;
  }

  /**
   * Fails the exchange. The error response has the file's validators, but not its Cache-Control.
   */
  private static void fail(Response response, HttpException failure, Representation file) {
    for (String name : VALIDATORS) {
      String value = file.validators.value(name);
      if (value != null) {
        failure.header(name, value);
      }
    }
    response.fail(failure);
  }

  /** Returns the requested ranges if they apply; for GET only (RFC 9110 section 14.2). */
  private static @Nullable List<ByteRange> ranges(Request request, Representation file) {
    if (!request.hasHeader(KnownHeader.RANGE)
        || request.method() != HttpMethod.GET
        || !Preconditions.permitRange(request, file)) {
      return null;
    }
    return ByteRange.parse(Objects.requireNonNull(request.header(KnownHeader.RANGE)), file.size);
  }

  @SuppressWarnings("ByteBufferBackingArray") // a buffer with an array is all of it
  private static void sendWhole(
      Response response, Representation file, @Nullable FileChannel channel) {
    if (channel != null) {
      response.send(channel, 0, file.size);
    } else {
      ByteBuffer content = Objects.requireNonNull(file.content);
      if (content.hasArray()) {
        response.send(content.array());
      } else {
        response.send(content.duplicate());
      }
    }
  }

  private static void send(
      Response response,
      List<ByteRange> ranges,
      Representation file,
      @Nullable FileChannel channel) {
    if (ranges.size() > 1) {
      sendParts(response, new Multipart(ranges, file.type, file.size), file, channel);
      return;
    }
    ByteRange range = ranges.getFirst();
    response.header(HeaderName.CONTENT_RANGE, range.of(file.size));
    if (channel != null) {
      response.send(channel, range.from(), range.bytes());
    } else {
      response.send(bytes(file, range));
    }
  }

  private static void sendParts(
      Response response, Multipart parts, Representation file, @Nullable FileChannel channel) {
    response.contentType(parts.type());
    ResponseStream stream =
        response.header(HeaderName.CONTENT_LENGTH, Long.toString(parts.bytes())).stream();
    for (int i = 0; i < parts.ranges().size(); i++) {
      ByteRange range = parts.ranges().get(i);
      stream.write(parts.head(i));
      if (channel != null) {
        stream.write(channel, range.from(), range.bytes());
      } else {
        stream.write(bytes(file, range));
      }
    }
    stream.write(parts.end()).complete();
  }

  private static ByteBuffer bytes(Representation file, ByteRange range) {
    ByteBuffer content = Objects.requireNonNull(file.content);
    return content.slice((int) range.from(), (int) range.bytes());
  }
}
