package dev.peregrine.server.attack;

import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.http.ResponseStream;
import dev.peregrine.testing.RawEcho;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/** An application with one path for each way to handle a request; any other gets "ok". */
final class App implements Handler {
  static final int LARGE_BYTES = 32 * 1024 * 1024;
  private static final long FULL_HEAP_NANOS = TimeUnit.MILLISECONDS.toNanos(700);
  private static final byte[] LARGE = new byte[LARGE_BYTES];
  private static final byte[] PIECE = new byte[16 * 1024];
  private static final int JSON_DEPTH = 50_000; // two bytes for each

  /** Responses that {@code /held} waits with. */
  final Queue<Response> held = new ConcurrentLinkedQueue<>();

  /** Listens to the sockets of {@code /web-socket}. */
  final CountingEcho sockets = new CountingEcho();

  private final Queue<AutoCloseable> files = new ConcurrentLinkedQueue<>();
  private volatile boolean filling;
  private final Handler blockingRead = Handlers.blocking(App::readBlocking);
  private final Handler blockingWrite = Handlers.blocking(App::writeBlocking);

  @Override
  public void handle(Request request, Response response) throws Exception {
    switch (request.path()) {
      case "/read" ->
          request
              .body()
              .receiveAll(LARGE_BYTES, content -> response.text(content.length + " bytes read"));
      case "/large" -> response.send(LARGE);
      case "/endless" -> writeOn(response.async().stream());
      case "/endless-in-error" -> writeOn(response.stream());
      case "/json" -> response.json(JSON_DEPTH); // waits in buffers of the server
      case "/held" -> held.add(response.async());
      case "/blocking-read" -> blockingRead.handle(request, response);
      case "/blocking-write" -> blockingWrite.handle(request, response);
      case "/full-heap" -> {
        response.text("soon");
        filling = true;
        Thread.ofPlatform().daemon().start(this::fillHeap);
      }
      case "/keep-heap-full" -> {
        files.add(new FullHeap());
        response.text("soon");
      }
      case "/take-files" -> {
        takeFiles();
        response.text("taken");
      }
      case "/free-files", "/end-full-heap" -> {
        for (AutoCloseable file : files) {
          file.close();
        }
        files.clear();
        response.text("free");
      }
      case "/file" -> response.send(Path.of(System.getProperty("java.home"), "release"));
      case "/free-heap" -> response.status(filling ? 503 : 200).text("");
      case "/caught" -> {
        try {
          response.text("ok");
        } catch (OutOfMemoryError caught) {
          // An application may do so.
        }
      }
      case "/web-socket" -> response.webSocket(sockets);
      case "/upgrade" -> response.upgrade("echo", new RawEcho());
      default -> response.text("ok");
    }
  }

  private void takeFiles() {
    try {
      while (true) {
        files.add(new FileInputStream("/dev/null"));
      }
    } catch (IOException full) {
      // Intended.
    }
  }

  /** Answers what was held. */
  void release() {
    for (Response response = held.poll(); response != null; response = held.poll()) {
      try {
        response.text("late");
      } catch (IllegalStateException ended) {
        // The client is gone.
      }
    }
  }

  /** Keeps the heap full for a while, to the last bytes. */
  private void fillHeap() {
    long end = System.nanoTime() + FULL_HEAP_NANOS;
    Object[] chain = new Object[1];
    int length = 100_000;
    while (System.nanoTime() - end < 0) {
      try {
        Object[] next = new Object[length];
        next[0] = chain;
        chain = next;
      } catch (OutOfMemoryError full) {
        length = Math.max(1, length / 10);
      }
    }
    filling = false;
  }

  private static void writeOn(ResponseStream stream) {
    while (stream.isWritable()) {
      stream.write(PIECE);
    }
    stream.onWritable(() -> writeOn(stream));
  }

  private static void readBlocking(Request request, Response response) throws Exception {
    long bytes = request.body().inputStream().transferTo(OutputStream.nullOutputStream());
    response.text(bytes + " bytes read");
  }

  private static void writeBlocking(Request request, Response response) throws Exception {
    try (OutputStream out = response.outputStream()) {
      for (int i = 0; i < LARGE_BYTES; i += PIECE.length) {
        out.write(PIECE);
      }
    }
  }
}
