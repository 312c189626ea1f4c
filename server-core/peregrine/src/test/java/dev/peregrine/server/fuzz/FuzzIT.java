package dev.peregrine.server.fuzz;

import dev.peregrine.http.multipart.MultipartTarget;
import dev.peregrine.parser.multipart.DelimiterVectors;
import dev.peregrine.parser.websocket.TextVectors;
import dev.peregrine.server.conformance.Seeds;
import dev.peregrine.server.proxy.ProxyHeaderTarget;
import dev.peregrine.server.tls.hello.HelloTarget;
import dev.peregrine.server.websocket.deflate.InflaterTarget;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * The fuzz targets with the corpus, and with mutations of it that are the same each time. A finding
 * of a longer run of {@link JazzerTargets} becomes a case of the corpus.
 */
class FuzzIT {
  private static final long SEED = 9112;

  // A few seconds each; -Dfuzz.mutations=… for more.
  private static final int MUTATIONS = Integer.getInteger("fuzz.mutations", 20_000);
  private static final int CONNECTION_MUTATIONS = MUTATIONS / 5;
  private static final int PROGRAM_MUTATIONS = MUTATIONS / 20;

  @Test
  void everyScannerAndEveryCutGivesTheSameHead() {
    run(Seeds.all(), MUTATIONS, ParserTarget::run);
  }

  @Test
  void everyScannerAndEveryCutGivesTheSameChunks() {
    run(Seeds.bodies(), MUTATIONS, ChunksTarget::run);
  }

  @Test
  void everyCutOfAConnectionGivesTheSameWellFramedAnswers() {
    try (ConnectionTarget target = new ConnectionTarget()) {
      run(Seeds.all(), CONNECTION_MUTATIONS, target::run);
    }
  }

  @Test
  void everyDivisionOfAClientHelloGivesTheSameResult() {
    run(HelloTarget.seeds(), CONNECTION_MUTATIONS, HelloTarget::run);
  }

  @Test
  void everyFieldBlockDecodesAsAPlainDecoderDecodesIt() {
    run(HpackTarget.seeds(), MUTATIONS, HpackTarget::run);
  }

  @Test
  void everyConnectionOfHttp2KeepsTheRulesAndLeavesNothing() {
    try (Http2ConnectionTarget target = new Http2ConnectionTarget()) {
      run(Http2ConnectionTarget.seeds(), PROGRAM_MUTATIONS, target::run);
    }
  }

  @Test
  void everyDivisionOfACompressedMessageGivesTheSameResult() {
    run(InflaterTarget.seeds(), PROGRAM_MUTATIONS, InflaterTarget::run);
  }

  @Test
  void everyCutOfFramesGivesTheHeadsAndPayloadsOfAPlainReader() {
    run(FramesTarget.seeds(), MUTATIONS, FramesTarget::run);
  }

  @Test
  void everyDivisionOfAProxyHeaderGivesTheResultOfAPlainDecoder() {
    run(ProxyHeaderTarget.seeds(), CONNECTION_MUTATIONS, ProxyHeaderTarget::run);
  }

  @Test
  void everyCutOfTextGivesTheResultOfAPlainReader() {
    TextVectors.warmUp(() -> false);
    run(Utf8Target.seeds(), MUTATIONS, Utf8Target::run);
  }

  @Test
  void everyCutOfMultipartContentGivesThePartsOfAPlainReader() {
    DelimiterVectors.warmUp(() -> false);
    run(MultipartTarget.seeds(), CONNECTION_MUTATIONS, MultipartTarget::run);
  }

  private static void run(List<byte[]> seeds, int count, Consumer<byte[]> target) {
    Mutations mutations = new Mutations(new SplittableRandom(SEED), seeds);
    for (int i = 0; i < seeds.size() + count; i++) {
      byte[] data = i < seeds.size() ? seeds.get(i) : mutations.next();
      try {
        target.accept(data);
      } catch (RuntimeException | Error failure) {
        throw new AssertionError("with " + HexFormat.of().formatHex(data), failure);
      }
    }
  }
}
