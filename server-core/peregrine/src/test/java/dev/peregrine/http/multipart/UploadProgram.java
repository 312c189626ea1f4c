package dev.peregrine.http.multipart;

import dev.peregrine.Peregrine;
import dev.peregrine.http.Bytes;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.TransportKind;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Sends a large file to its own server in one form: to a listener that pauses, then to disk. The
 * client needs one array.
 */
public final class UploadProgram {
  private static final int PIECE_BYTES = 1 << 16;
  private static final int PIECES_BETWEEN_PAUSES = 100;
  private static final long MIB = 1 << 20;

  private UploadProgram() {}

  /**
   * Sends a file twice, and prints the sizes that the server has seen.
   *
   * @param args the bytes of the file, a directory for it, and the transport
   */
  public static void main(String[] args) throws IOException {
    long bytes = Long.parseLong(args[0]);
    MultipartLimits limits =
        MultipartLimits.builder().partBytesMax(bytes).contentBytesMax(bytes + MIB).build();
    Handler flow = (request, response) -> new Count(response).receive(request, limits);
    Handler disk =
        Handlers.blocking(
            (request, response) -> {
              try (FormData form = FormData.read(request, limits, Path.of(args[1]))) {
                response.text(form.files().getFirst().bytes() + " bytes on disk");
              }
            });
    TransportKind transport = TransportKind.valueOf(args[2]);
    for (Handler handler : new Handler[] {flow, disk}) {
      try (HttpServer server =
          Peregrine.builder().port(0).loops(1).transport(transport).handler(handler).start()) {
        long start = System.nanoTime();
        String answer = upload(server.port(), bytes);
        long millis = (System.nanoTime() - start) / 1_000_000;
        System.out.println(
            answer + ", " + millis + " ms, peak heap " + peakHeapBytes() / MIB + " MiB");
      }
    }
  }

  private static long peakHeapBytes() {
    long bytes = 0;
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      if (pool.getType() == MemoryType.HEAP) {
        bytes += pool.getPeakUsage().getUsed();
      }
    }
    return bytes;
  }

  private static String upload(int port, long bytes) throws IOException {
    byte[] piece = new byte[PIECE_BYTES];
    for (int i = 0; i < piece.length; i++) {
      piece[i] = (byte) ((i * 31) >> 3);
    }
    byte[] before =
        new MultipartText()
            .raw("--XX\r\nContent-Disposition: form-data; name=f; filename=n\r\n\r\n")
            .bytes();
    byte[] after = new MultipartText().raw("\r\n").end();
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      OutputStream out = socket.getOutputStream();
      String head = MultipartText.head(MultipartText.TYPE, before.length + bytes + after.length);
      out.write(head.getBytes(StandardCharsets.US_ASCII));
      out.write(before);
      for (long left = bytes; left > 0; left -= PIECE_BYTES) {
        out.write(piece, 0, (int) Math.min(left, PIECE_BYTES));
      }
      out.write(after);
      BufferedReader in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
      String status = in.readLine();
      for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
        // skips the fields
      }
      char[] content = new char[PIECE_BYTES];
      int length = in.read(content);
      return status + ": " + new String(content, 0, Math.max(0, length));
    }
  }

  /** Counts the bytes of a file, with pauses that other threads end. */
  private static final class Count implements MultipartListener {
    private final Response response;
    private @Nullable MultipartFlow flow;
    private long bytes;
    private int pieces;

    Count(Response response) {
      this.response = response;
    }

    void receive(Request request, MultipartLimits limits) {
      response.async();
      flow = MultipartFlow.receive(request, response, limits, this);
    }

    @Override
    public void onPart(PartHead part) {}

    @Override
    public void onData(Bytes data) {
      bytes += data.length();
      MultipartFlow pausing = flow;
      if (++pieces % PIECES_BETWEEN_PAUSES == 0 && pausing != null) {
        pausing.pause();
        Thread.ofVirtual().start(pausing::resume);
      }
    }

    @Override
    public void onPartEnd() {}

    @Override
    public void onEnd() {
      response.text(bytes + " bytes passed on");
    }
  }
}
