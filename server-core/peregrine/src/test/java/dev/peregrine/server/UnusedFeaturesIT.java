package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.peregrine.server.start.FirstUse;
import dev.peregrine.testing.Servers;
import dev.peregrine.testing.ServingJvm;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The classes that a JVM loads to serve a request without any optional feature. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class UnusedFeaturesIT {
  private static final Pattern OWN_CLASS =
      Pattern.compile(" (dev\\.peregrine[.a-z0-9]*)\\.[A-Z]\\S* ");

  // Three classes of loop.watch are for reports, as a slow machine causes at the start.
  private static final String CLASSES_MAX =
      """
      all 2105
      dev.peregrine 1
      dev.peregrine.base 11
      dev.peregrine.http 22
      dev.peregrine.linux 10
      dev.peregrine.parser 9
      dev.peregrine.parser.body 4
      dev.peregrine.parser.field 7
      dev.peregrine.parser.scan 5
      dev.peregrine.parser.value 4
      dev.peregrine.parser.vector 1
      dev.peregrine.protocol 9
      dev.peregrine.protocol.grammar 3
      dev.peregrine.server 5
      dev.peregrine.server.accept 22
      dev.peregrine.server.config 8
      dev.peregrine.server.connection 22
      dev.peregrine.server.connection.facts 2
      dev.peregrine.server.end 8
      dev.peregrine.server.epoll 2
      dev.peregrine.server.exchange 2
      dev.peregrine.server.exchange.message 8
      dev.peregrine.server.exchange.run 5
      dev.peregrine.server.exchange.state 18
      dev.peregrine.server.exchange.text 3
      dev.peregrine.server.exchange.view 4
      dev.peregrine.server.http1 10
      dev.peregrine.server.http2 2
      dev.peregrine.server.jfr 5
      dev.peregrine.server.layer 2
      dev.peregrine.server.loop 23
      dev.peregrine.server.loop.watch 10
      dev.peregrine.server.memory 17
      dev.peregrine.server.memory.lease 6
      dev.peregrine.server.observe 4
      dev.peregrine.server.pace 2
      dev.peregrine.server.start 26
      dev.peregrine.server.transport 8
      dev.peregrine.server.transport.epoll 15
      dev.peregrine.server.transport.nio 5
      dev.peregrine.server.tunnel 3
      dev.peregrine.server.turn 5
      dev.peregrine.server.websocket 2
      """;

  private static final Pattern OWN_LAMBDA =
      Pattern.compile(" dev\\.peregrine\\.(?!testing)\\S*\\$\\$Lambda");

  private static final String FIRST_USE = " dev.peregrine.server.start.FirstUse ";
  private static final String LAST_OF_FIRST_USE = " dev.peregrine.server.memory.OpenFile ";

  private static final String LEFT_HANDLER = " dev.peregrine.server.loop.watch.LeftHandler ";
  private static final int ATTEMPTS_MAX = 10;

  private String loaded = "";

  /**
   * Again if the machine was so slow that a loop has left its handler, for which it has classes.
   */
  @BeforeAll
  void serveARequest(@TempDir Path folder) throws Exception {
    for (int i = 0; i < ATTEMPTS_MAX && (i == 0 || loaded.contains(LEFT_HANDLER)); i++) {
      loaded =
          ServingJvm.run(
              folder, ServingJvm.NATIVE, "-Xlog:class+load", "-cp", ServingJvm.classPath());
    }
  }

  @Test
  void theLogNamesTheClassesThatAreUsed() {
    assertThat(loaded)
        .contains(" dev.peregrine.server.http1.Http1 ")
        .contains(" dev.peregrine.server.exchange.Exchange ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http.coding.",
        "http.events.",
        "http.files.",
        "http.filter.",
        "http.lines.",
        "http.multipart.",
        "http.route.",
        "http.websocket.",
        "parser.hpack.",
        "parser.multipart.",
        "proxy.",
        "server.HandOver",
        "server.Health",
        "server.SystemdNotifier",
        "server.accesslog.",
        "server.handover.",
        "server.http2.Http2Connection",
        "server.http2.Http2Protocol",
        "server.http2.flow.",
        "server.http2.frame.",
        "server.http2.head.",
        "server.http2.stream.",
        "server.transport.heap.",
        "server.metrics.",
        "server.proxy.",
        "server.testing.",
        "server.tls.",
        "server.websocket.Handshake",
        "server.websocket.WebSocketLoop",
        "server.websocket.WebSocketSession",
        "tls."
      })
  void loadsNoClassOfAFeatureThatIsOff(String feature) {
    assertThat(loaded.lines()).noneMatch(line -> line.contains(" dev.peregrine." + feature));
  }

  /** The warm-up begins after two million requests, long after the end of this program. */
  @Test
  void loadsNothingOfAVectorModuleThatIsPresent(@TempDir Path folder) throws Exception {
    String present =
        ServingJvm.run(
            folder,
            ServingJvm.NATIVE,
            "--add-modules",
            "jdk.incubator.vector",
            "-Xlog:class+load",
            "-cp",
            ServingJvm.classPath());

    assertThat(present)
        .contains(" dev.peregrine.parser.vector.VectorSupport ")
        .doesNotContain(" jdk.incubator.")
        .doesNotContain(" dev.peregrine.parser.vector.VectorScanner ")
        .doesNotContain(" dev.peregrine.server.start.ScannerWarmUp ");
  }

  /**
   * The link takes as long as the rest of a start, so it comes after what {@link FirstUse} does.
   */
  @Test
  void linksSystemCallsLast() {
    assumeTrue(Servers.TRANSPORT == TransportKind.NIO, "epoll can't do without");
    assertThat(loaded).containsSubsequence(LAST_OF_FIRST_USE, " dev.peregrine.linux.Kernel ");
  }

  /** Each takes a start two thirds of a millisecond, an inner class a quarter of that. */
  @Test
  void answersTheFirstRequestWithoutLambdas() {
    assumeTrue(Servers.TRANSPORT == TransportKind.NIO, "the link of epoll takes far longer");
    assertThat(loaded).contains(FIRST_USE);
    assertThat(loaded.lines().takeWhile(line -> !line.contains(FIRST_USE)))
        .noneMatch(line -> OWN_LAMBDA.matcher(line).find());
  }

  /** None of these is in the JDK's archive, so that each takes a start some 0.3 ms. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "java.lang.ThreadBuilders ",
        "java.util.concurrent.ConcurrentLinkedQueue ",
        "java.util.concurrent.SynchronousQueue ",
        "java.util.concurrent.atomic.AtomicIntegerArray ",
        "dev.peregrine.server.connection.Unfinished "
      })
  void answersTheFirstRequestWithoutClassesOfLaterWork(String name) {
    assumeTrue(Servers.TRANSPORT == TransportKind.NIO, "as above");
    assertThat(loaded.lines().takeWhile(line -> !line.contains(FIRST_USE)))
        .noneMatch(line -> line.contains(" " + name));
  }

  /** A set of constants finds them by reflection. */
  @Test
  void answersTheFirstRequestWithoutTheFieldsThatTrailersCannotHave() {
    assumeTrue(Servers.TRANSPORT == TransportKind.NIO, "as above");
    assertThat(loaded)
        .containsSubsequence(
            FIRST_USE, " dev.peregrine.server.exchange.text.FieldLines$OfTrailers ");
  }

  /**
   * The date of each response from March on would need that class. A class whose initialisation
   * finds no memory can never be used.
   */
  @Test
  void needsNoLeapYearForADate() {
    assertThat(loaded).doesNotContain(" java.time.Year ");
  }

  /**
   * Holds the number of classes by package, from the start to the end of the server, those for
   * failures and lambdas included. Whoever raises one says why in the commit. The start is complete
   * when the program ends, so that the number doesn't depend on which thread has the processor. All
   * classes include some 60 that read the server's jar; they aren't loaded if the test runs on
   * directories.
   */
  @Test
  void loadsNoMoreClassesThanThese() {
    Map<String, Integer> most = new TreeMap<>();
    for (String line : CLASSES_MAX.lines().toList()) {
      int space = line.indexOf(' ');
      most.put(line.substring(0, space), Integer.valueOf(line.substring(space + 1)));
    }

    Map<String, Integer> counted = new TreeMap<>();
    Matcher own = OWN_CLASS.matcher(loaded);
    while (own.find()) {
      if (!own.group(1).equals("dev.peregrine.testing")) {
        counted.merge(own.group(1), 1, Integer::sum);
      }
    }
    counted.put("all", (int) loaded.lines().filter(line -> line.contains(" source: ")).count());

    assertThat(counted).isNotEmpty();
    assertThat(counted)
        .allSatisfy(
            (name, count) ->
                assertThat(count).as(name).isLessThanOrEqualTo(most.getOrDefault(name, 0)));
  }
}
