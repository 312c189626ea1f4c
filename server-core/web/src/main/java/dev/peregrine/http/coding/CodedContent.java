package dev.peregrine.http.coding;

import dev.peregrine.http.ContentType;
import dev.peregrine.http.HttpStatus;
import dev.peregrine.http.Response;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The content of a response on its way to the response that is sent. Decides when it begins whether
 * it is compressed, and sets the fields that follow from that.
 */
final class CodedContent {
  private final Response target;
  private final boolean head; // responds to HEAD
  private final @Nullable EncoderPool encoders; // of the coding to use; null for none
  private final ResponseFacts facts;
  private final LentEncoder lent;
  private final HeldLength length = new HeldLength();

  CodedContent(Response target, ResponseFacts facts, boolean head, @Nullable EncoderPool encoders) {
    this.target = target;
    this.facts = facts;
    this.head = head;
    this.encoders = encoders;
    this.lent = new LentEncoder(target, encoders);
  }

  /** Returns the length that the handler has declared, as long as it isn't sent. */
  HeldLength length() {
    return length;
  }

  boolean isHead() {
    return head;
  }

  /** Gives the encoder back; on any thread. */
  void release() {
    lent.release();
  }

  /** Fails the response. */
  void fail(Throwable cause) {
    release();
    target.fail(cause);
  }

  // ---- whole ----

  /**
   * Sends content. Returns an encoder if it is so long that the caller must send it in pieces.
   *
   * @param leased the content, if its buffer is to be given back
   */
  EncoderPool.@Nullable Lease send(ByteBuffer content, @Nullable LeasedContent leased) {
    int bytes = content.remaining();
    if (isDeclaredOnly(bytes)) {
      sendDeclared();
      return null;
    }
    boolean fits = !isOfWrongLength(bytes) && begin(bytes);
    if (fits && bytes > CompressedStream.WHOLE_BYTES_MAX) {
      EncoderPool.Lease encoding = lent.take();
      if (encoding != null) {
        return encoding;
      }
      fits = false;
    }
    byte[] encoded = fits ? encode(content) : null;
    setFields(encoded != null);
    if (encoded == null) {
      if (leased == null) {
        target.send(content);
      } else {
        leased.sendTo(target);
      }
    } else {
      target.send(encoded);
    }
    return null;
  }

  /** Sends the output stream's content, which turned out to be short, when the handler returns. */
  void closeGathered(byte[] content) throws IOException {
    if (isDeclaredOnly(content.length)) {
      sendDeclared();
      return;
    }
    boolean fits = !isOfWrongLength(content.length) && begin(content.length);
    byte[] encoded = fits ? encode(ByteBuffer.wrap(content)) : null;
    setFields(encoded != null);
    try (OutputStream out = target.outputStream()) {
      out.write(encoded == null ? content : encoded);
    }
  }

  private void setFields(boolean isEncoded) {
    if (isEncoded) {
      facts.encoded(encoders);
    } else {
      length.passTo(target);
    }
  }

  /** Returns the content compressed; null if it stays as it is. */
  private byte @Nullable [] encode(ByteBuffer content) {
    try (EncoderPool.Lease encoding = Objects.requireNonNull(encoders).lease()) {
      if (encoding == null) {
        return null;
      }
      byte[] plain = new byte[content.remaining()];
      content.get(content.position(), plain);
      encoding.write(plain, 0, plain.length);
      encoding.finish();
      byte[] encoded = encoding.take(1);
      return encoded.length < plain.length ? encoded : null;
    }
  }

  /** Sends 304 in place of content of that type and length. */
  void sendNotModified(@Nullable ContentType type, long bytes) {
    target.status(HttpStatus.NOT_MODIFIED);
    describe(facts.isLong(bytes) && facts.isCompressible(type));
    target.sendNotModified(type, bytes);
  }

  /** Responds without the content. A length is known only of content that isn't compressed. */
  private void sendDeclared() {
    try (EncoderPool.Lease encoding = startEncoding()) {
      if (encoding != null) {
        facts.encoded(encoders);
      }
    }
    target.send();
  }

  // ---- piece by piece ----

  /** Begins content that is sent piece by piece. Returns its encoder; null for no compression. */
  EncoderPool.@Nullable Lease startEncoding() {
    EncoderPool.Lease encoding = begin(length.bytes()) ? lent.take() : null;
    if (encoding == null) {
      length.passTo(target);
    }
    return encoding;
  }

  /** Starts the response's output stream, for compressed content if there is an encoder. */
  OutputStream openOutput(EncoderPool.@Nullable Lease encoding) {
    if (encoding != null) {
      setEncoded(encoding);
    }
    return target.outputStream();
  }

  /** Starts the response's stream for compressed content. */
  CompressedStream openStream(EncoderPool.Lease encoding) {
    setEncoded(encoding);
    return new CompressedStream(target.stream(), encoding, expectedLength(), this::fail);
  }

  /** Sets the fields of compressed content; closes the encoder if the exchange has ended. */
  private void setEncoded(EncoderPool.Lease encoding) {
    try {
      facts.encoded(encoders);
    } catch (Throwable ended) {
      encoding.close();
      throw ended;
    }
  }

  /** Returns the length to expect of content that is compressed piece by piece. */
  DeclaredLength expectedLength() {
    return new DeclaredLength(head ? DeclaredLength.UNKNOWN : length.bytes());
  }

  // ---- the choice ----

  /** Returns true if a response has the length of content that isn't given: to HEAD, or a 304. */
  private boolean isDeclaredOnly(long bytes) {
    return bytes == 0 && length.isHeld() && (head || facts.isNotModified());
  }

  /** Returns true if the target will reject content of that length. */
  private boolean isOfWrongLength(long bytes) {
    return length.isHeld() && length.bytes() != bytes;
  }

  /** Returns true if content of that length is to be compressed; sets the Vary field. */
  private boolean begin(long bytes) {
    if (facts.isNotModified()) {
      describe(facts.mayReplace());
      return false;
    }
    boolean partial = facts.isPartial();
    if (!facts.isLong(partial ? facts.wholeLength() : bytes) || !facts.isCompressible()) {
      return false;
    }
    facts.vary();
    return encoders != null && !partial;
  }

  /** Sets the fields that the content would have if it were sent. */
  private void describe(boolean compressible) {
    if (compressible) {
      facts.vary();
      if (encoders != null) {
        facts.weaken();
        length.drop();
      }
    }
  }
}
