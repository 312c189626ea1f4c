package dev.peregrine.testing;

import dev.peregrine.server.layer.LayeredSocket;
import dev.peregrine.server.layer.SocketLayer;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.transport.StreamSocket;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A layer like a proxy protocol: each connection begins with a line such as {@code FRONT https
 * 192.0.2.7 4711}, by which a proxy declares its client.
 */
public final class FrontLayer implements SocketLayer {
  /** Returns the line that a proxy sends first. */
  public static String line(String scheme, String address, int port) {
    return "FRONT " + scheme + " " + address + " " + port + "\r\n";
  }

  @Override
  public StreamSocket wrap(StreamSocket socket, EventLoop loop) {
    return new FrontSocket(socket, loop);
  }

  private static final class FrontSocket extends LayeredSocket {
    private static final int LINE_BYTES_MAX = 100;

    private final ByteBuffer line = ByteBuffer.allocate(LINE_BYTES_MAX);
    private @Nullable ByteBuffer rest; // what came with the line, once that is complete
    private @Nullable SocketAddress client;
    private boolean secure;

    FrontSocket(StreamSocket inner, EventLoop loop) {
      super(inner, loop);
    }

    @Override
    protected int receive(ByteBuffer target) throws IOException {
      if (rest == null) {
        int count = inner.read(line);
        if (count < 0 || !takeLine()) {
          return count < 0 ? count : 0;
        }
      }
      ByteBuffer held = rest;
      if (held == null || !held.hasRemaining()) {
        return inner.read(target);
      }
      int count = Math.min(held.remaining(), target.remaining());
      target.put(held.slice(held.position(), count));
      held.position(held.position() + count);
      return count;
    }

    private boolean takeLine() throws IOException {
      String text = new String(line.array(), 0, line.position(), StandardCharsets.ISO_8859_1);
      int end = text.indexOf("\r\n");
      if (end < 0) {
        if (!line.hasRemaining()) {
          throw new IOException("no line of a proxy");
        }
        return false;
      }
      String[] words = text.substring(0, end).split(" ", -1);
      if (words.length != 4 || !words[0].equals("FRONT")) {
        throw new IOException("no line of a proxy");
      }
      secure = words[1].equals("https");
      client = new InetSocketAddress(InetAddress.ofLiteral(words[2]), Integer.parseInt(words[3]));
      rest = line.flip().position(end + 2);
      return true;
    }

    @Override
    protected boolean holdsInput() {
      return rest != null && rest.hasRemaining();
    }

    @Override
    public SocketAddress remoteAddress() throws IOException {
      return client != null ? client : inner.remoteAddress();
    }

    @Override
    public boolean isSecure() {
      return secure;
    }
  }
}
