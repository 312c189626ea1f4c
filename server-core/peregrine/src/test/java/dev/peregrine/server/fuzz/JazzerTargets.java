package dev.peregrine.server.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.peregrine.http.multipart.MultipartTarget;
import dev.peregrine.server.conformance.Seeds;
import dev.peregrine.server.proxy.ProxyHeaderTarget;
import dev.peregrine.server.tls.hello.HelloTarget;
import dev.peregrine.server.websocket.deflate.InflaterTarget;
import java.util.List;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Targets for Jazzer, which is guided by the code it reaches: {@code ./mvnw -Pfuzz verify
 * -Dfuzz=parser}, {@code chunks}, {@code connection}, {@code hello}, {@code hpack}, {@code http2},
 * {@code frames}, {@code text}, {@code proxyHeader}, {@code deflate} or {@code multipart}. Not part
 * of a normal run, where its agent would disturb other tests: {@link FuzzIT} has the same targets.
 */
class JazzerTargets {
  private static final ConnectionTarget CONNECTION = new ConnectionTarget();
  private static final Http2ConnectionTarget HTTP_2 = new Http2ConnectionTarget();

  static List<byte[]> seeds() {
    return Seeds.all();
  }

  static List<byte[]> bodies() {
    return Seeds.bodies();
  }

  static List<byte[]> hellos() {
    return HelloTarget.seeds();
  }

  static List<byte[]> fieldBlocks() {
    return HpackTarget.seeds();
  }

  static List<byte[]> programs() {
    return Http2ConnectionTarget.seeds();
  }

  static List<byte[]> compressed() {
    return InflaterTarget.seeds();
  }

  static List<byte[]> frameSequences() {
    return FramesTarget.seeds();
  }

  static List<byte[]> proxyHeaders() {
    return ProxyHeaderTarget.seeds();
  }

  static List<byte[]> texts() {
    return Utf8Target.seeds();
  }

  static List<byte[]> forms() {
    return MultipartTarget.seeds();
  }

  @MethodSource("seeds")
  @FuzzTest
  void parser(byte[] data) {
    ParserTarget.run(data);
  }

  @MethodSource("bodies")
  @FuzzTest
  void chunks(byte[] data) {
    ChunksTarget.run(data);
  }

  @MethodSource("seeds")
  @FuzzTest
  void connection(byte[] data) {
    CONNECTION.run(data);
  }

  @MethodSource("hellos")
  @FuzzTest
  void hello(byte[] data) {
    HelloTarget.run(data);
  }

  @MethodSource("fieldBlocks")
  @FuzzTest
  void hpack(byte[] data) {
    HpackTarget.run(data);
  }

  @MethodSource("programs")
  @FuzzTest
  void http2(byte[] data) {
    HTTP_2.run(data);
  }

  @MethodSource("compressed")
  @FuzzTest
  void deflate(byte[] data) {
    InflaterTarget.run(data);
  }

  @MethodSource("frameSequences")
  @FuzzTest
  void frames(byte[] data) {
    FramesTarget.run(data);
  }

  @MethodSource("proxyHeaders")
  @FuzzTest
  void proxyHeader(byte[] data) {
    ProxyHeaderTarget.run(data);
  }

  @MethodSource("texts")
  @FuzzTest
  void text(byte[] data) {
    Utf8Target.run(data);
  }

  @MethodSource("forms")
  @FuzzTest
  void multipart(byte[] data) {
    MultipartTarget.run(data);
  }
}
