package dev.peregrine.bench.peer;

import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpCompliance;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpParser;
import org.eclipse.jetty.http.HttpVersion;

/** Jetty's parser, strict, with the fields collected as its server does. */
final class JettyParser implements PeerParser, HttpParser.RequestHandler {
  private static final int BYTES_MAX = 64 * 1024;

  private final ByteBuffer bytes;
  private final HttpParser parser = new HttpParser(this, BYTES_MAX, HttpCompliance.RFC9110);
  private final HttpFields.Mutable collected = HttpFields.build();
  private boolean headComplete;

  JettyParser(byte[] heads) {
    bytes = ByteBuffer.allocateDirect(heads.length).put(0, heads);
  }

  @Override
  public long parseAll() {
    bytes.clear();
    long fields = 0;
    while (bytes.hasRemaining()) {
      collected.clear();
      headComplete = false;
      parser.parseNext(bytes);
      if (!headComplete) {
        throw new IllegalStateException("Jetty ends at " + bytes.position());
      }
      fields += collected.size();
      parser.reset();
    }
    return fields;
  }

  @Override
  public void startRequest(String method, String uri, HttpVersion version) {}

  @Override
  public void parsedHeader(HttpField field) {
    collected.add(field);
  }

  @Override
  public boolean headerComplete() {
    headComplete = true;
    return true; // stops here
  }

  @Override
  public boolean content(ByteBuffer item) {
    return false;
  }

  @Override
  public boolean contentComplete() {
    return false;
  }

  @Override
  public boolean messageComplete() {
    return true;
  }

  @Override
  public void earlyEOF() {}

  @Override
  public void badMessage(HttpException failure) {
    throw new IllegalStateException("Jetty rejects a head: " + failure.getReason());
  }
}
