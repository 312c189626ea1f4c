package dev.peregrine.http.files;

import dev.peregrine.http.ContentType;
import dev.peregrine.http.coding.Compression;
import dev.peregrine.http.coding.ContentCoding;
import dev.peregrine.http.coding.ContentEncoder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Compresses files for the cache, one after the other, on a thread that lives as long as files
 * wait. A client that requests many different files can't cause more work than that: at most {@link
 * #WAITING_MAX} files wait, each once, and after each file the thread rests for {@link #RESTS}
 * times as long as it has worked. Thread-safe.
 */
final class FileCompressor {
  /** The number of files that wait, at most; others are requested again. */
  static final int WAITING_MAX = 64;

  private static final int RESTS = 3; // a quarter of a processor at most
  private static final int BYTES_MIN = 1024;
  private static final int PIECE_BYTES = 64 * 1024;

  private record Job(Representation file, FileStore store) {}

  private final ContentCoding coding;
  private final int bytesMax;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, Job> waiting = new LinkedHashMap<>(); // this and below: by the lock
  private boolean running;

  /**
   * Creates a compressor that is idle.
   *
   * @param bytesMax the size of the largest file to compress
   */
  FileCompressor(ContentCoding coding, int bytesMax) {
    this.coding = coding;
    this.bytesMax = bytesMax;
  }

  /** Returns the name of the coding. */
  String coding() {
    return coding.name();
  }

  /** Returns true for files that are worth trying. */
  boolean takes(ContentType type, long bytes) {
    return bytes >= BYTES_MIN && bytes <= bytesMax && Compression.isCompressible(mediaType(type));
  }

  private static String mediaType(ContentType type) {
    String text = type.toString();
    int parameters = text.indexOf(';');
    return (parameters < 0 ? text : text.substring(0, parameters)).strip().toLowerCase(Locale.ROOT);
  }

  /**
   * Has a file compressed, unless it waits already, too many wait, or another thread is here: it is
   * requested again.
   */
  void want(String path, Representation file, FileStore store) {
    if (!lock.tryLock()) {
      return;
    }
    try {
      if (waiting.size() < WAITING_MAX
          && waiting.putIfAbsent(path, new Job(file, store)) == null
          && !running) {
        running = true;
        start();
      }
    } finally {
      lock.unlock();
    }
  }

  private void start() {
    try {
      Thread.ofPlatform().daemon().name("peregrine-compress").start(this::run);
    } catch (Throwable failure) { // no thread, no memory: as if it had not been wanted
      waiting.clear();
      running = false;
    }
  }

  private void run() {
    Map.Entry<String, Job> next = take();
    while (next != null) {
      long began = System.nanoTime();
      compress(next.getKey(), next.getValue());
      done(next.getKey());
      rest((System.nanoTime() - began) * RESTS);
      next = take();
    }
  }

  /**
   * Returns the file that has waited for longest; null, with the thread at its end, if none does.
   */
  private Map.@Nullable Entry<String, Job> take() {
    lock.lock();
    try {
      Map.Entry<String, Job> first = null;
      if (waiting.isEmpty()) {
        running = false;
      } else {
        first = waiting.entrySet().iterator().next();
      }
      return first == null ? null : Map.entry(first.getKey(), first.getValue());
    } finally {
      lock.unlock();
    }
  }

  /** Lets a file be wanted again; until here it can't be compressed twice. */
  private void done(String path) {
    lock.lock();
    try {
      waiting.remove(path);
    } finally {
      lock.unlock();
    }
  }

  private static void rest(long nanos) {
    long end = System.nanoTime() + nanos;
    for (long left = nanos; left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  private void compress(String path, Job job) {
    Representation form = null;
    try {
      boolean wanted = job.store.lacksCompressed(path, job.file);
      byte[] content = wanted ? job.store.read(job.file) : null;
      if (content == null) {
        return; // it has changed, or has been compressed just now
      }
      byte[] encoded = encode(content);
      boolean pays = encoded.length <= content.length - content.length / 10;
      form = pays ? job.file.compressed(coding.name(), encoded) : null;
    } catch (IOException unreadable) {
      return; // requests for the file find out and say so
    } catch (Throwable failure) {
      // The file is sent as it is, whatever the encoder or the memory lacked.
    }
    job.store.addCompressed(path, job.file, form);
  }

  private byte[] encode(byte[] content) {
    try (ContentEncoder encoder = coding.newEncoder()) {
      ByteArrayOutputStream encoded = new ByteArrayOutputStream(content.length / 4);
      encoder.begin();
      for (int from = 0; from < content.length; from += PIECE_BYTES) {
        encoder.write(content, from, Math.min(PIECE_BYTES, content.length - from));
        encoded.writeBytes(encoder.take());
      }
      encoder.finish();
      encoded.writeBytes(encoder.take());
      return encoded.toByteArray();
    }
  }
}
