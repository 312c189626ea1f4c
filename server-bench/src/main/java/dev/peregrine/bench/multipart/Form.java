package dev.peregrine.bench.multipart;

import dev.peregrine.bench.corpus.NativeBytes;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A form with one file of 1 MiB, in pieces of 64 KiB as the server receives them.
 *
 * @param content of the whole form
 * @param pieces the content in native memory
 */
public record Form(MemorySegment content, List<MemorySegment> pieces) {
  static final String BOUNDARY = "----WebKitFormBoundary7MA4YWxkTrZu0gW";
  static final int FILE_BYTES = 1 << 20;
  private static final int PIECE_BYTES = 1 << 16;
  private static final long SEED = 7578;

  /** The bytes of the file. */
  public enum Kind {
    /** Without a pattern, as compressed files are. */
    RANDOM,
    /** Lines of text that end with CR LF. */
    TEXT,
    /** Delimiters without their last byte, one after the other. */
    NEARLY_DELIMITERS;

    private byte[] file() {
      byte[] file = new byte[FILE_BYTES];
      if (this == RANDOM) {
        new SplittableRandom(SEED).nextBytes(file);
        return file;
      }
      String unit =
          this == TEXT
              ? "The quick brown fox jumps over the lazy dog - and then back over it.\r\n"
              : "\r\n--" + BOUNDARY.substring(0, BOUNDARY.length() - 1);
      byte[] bytes = unit.getBytes(StandardCharsets.US_ASCII);
      for (int i = 0; i < file.length; i++) {
        file[i] = bytes[i % bytes.length];
      }
      return file;
    }
  }

  static Form of(Kind kind) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    String head =
        "--"
            + BOUNDARY
            + "\r\nContent-Disposition: form-data; name=\"file\"; filename=\"photo.jpg\"\r\n"
            + "Content-Type: application/octet-stream\r\n\r\n";
    bytes.writeBytes(head.getBytes(StandardCharsets.US_ASCII));
    bytes.writeBytes(kind.file());
    bytes.writeBytes(("\r\n--" + BOUNDARY + "--\r\n").getBytes(StandardCharsets.US_ASCII));
    MemorySegment content = NativeBytes.of(bytes.toByteArray());
    List<MemorySegment> pieces = new ArrayList<>();
    for (long from = 0; from < content.byteSize(); from += PIECE_BYTES) {
      pieces.add(content.asSlice(from, Math.min(PIECE_BYTES, content.byteSize() - from)));
    }
    return new Form(content, pieces);
  }

  /** Returns the pieces as buffers, for decoders that take these. */
  List<ByteBuffer> buffers() {
    return pieces.stream().map(MemorySegment::asByteBuffer).toList();
  }
}
