package dev.peregrine.parser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.parser.Outcome.Accepted;
import dev.peregrine.parser.Outcome.Field;
import dev.peregrine.parser.corpus.InvalidHeads;
import dev.peregrine.parser.corpus.RandomHeads;
import dev.peregrine.parser.corpus.ValidHeads;
import dev.peregrine.parser.hpack.DecodedFields;
import dev.peregrine.protocol.HttpVersion;
import dev.peregrine.protocol.KnownHeader;
import dev.peregrine.protocol.Leniency;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Requests that can be sent over both versions get the same verdict and the same parts: the heads
 * of the corpus, and random ones, translated to fields. Only an empty Host has no equal, because
 * the host of a URI in HTTP/2 can't be empty.
 */
class Http2EquivalenceTest {
  private static final int RANDOM_HEADS = 5_000;

  /** Fields that only one version can have. */
  private static final Set<KnownHeader> OF_THE_CONNECTION =
      EnumSet.of(
          KnownHeader.CONNECTION,
          KnownHeader.KEEP_ALIVE,
          KnownHeader.PROXY_CONNECTION,
          KnownHeader.TE,
          KnownHeader.TRANSFER_ENCODING,
          KnownHeader.UPGRADE);

  private final RequestHead head = new RequestHead();
  private int compared;

  static List<Set<Leniency>> leniencies() {
    return List.of(Set.of(), EnumSet.allOf(Leniency.class));
  }

  @ParameterizedTest
  @MethodSource("leniencies")
  void judgesTheCorpusAsHttp1Does(Set<Leniency> leniencies) {
    List<String> heads = new ArrayList<>(ValidHeads.all().values());
    InvalidHeads.all().forEach(invalid -> heads.add(invalid.head()));

    heads.forEach(text -> compare(text, leniencies));

    assertThat(compared).isGreaterThan(200);
  }

  @Test
  void givesTheSameReasonsAsHttp1() {
    for (InvalidHeads.Invalid invalid : InvalidHeads.all()) {
      List<String> lines = lines(invalid.head());
      if (lines != null) {
        DecodedFields fields = translated(lines, false).decoded();
        new Http2HeadReader(ParserLimits.DEFAULT, Set.of(), false).read(fields, head);

        assertThat(head.rejection()).as(invalid.name()).isNotNull();
        if (fields.fault() == null) {
          assertThat(head.rejection()).as(invalid.name()).isEqualTo(invalid.reason());
        }
      }
    }
  }

  @Test
  void judgesRandomHeadsAsHttp1Does() {
    var heads = new RandomHeads(0x2113);
    for (int i = 0; i < RANDOM_HEADS; i++) {
      String text = heads.next();
      compare(text, Set.of());
      compare(heads.damaged(text), Set.of());
    }

    assertThat(compared).isGreaterThan(RANDOM_HEADS / 2);
  }

  private void compare(String text, Set<Leniency> leniencies) {
    List<String> lines = lines(text);
    if (lines == null) {
      return;
    }
    compared++;
    Outcome expected = http1(text, leniencies);
    var reader = new Http2HeadReader(ParserLimits.DEFAULT, leniencies, false);
    for (boolean hostAsAuthority : new boolean[] {false, true}) {
      DecodedFields fields = translated(lines, hostAsAuthority).decoded();
      boolean read = reader.read(fields, head);

      Accepted accepted = expected.accepted();
      if (accepted == null || "".equals(accepted.host())) {
        assertThat(read).as(text).isFalse();
      } else {
        assertThat(head.rejection()).as(text).isNull();
        assertThat(read).as(text).isTrue();
        assertThat(comparable(Outcome.accepted(fields.segment(), 0, head)))
            .as(text)
            .isEqualTo(comparable(accepted));
      }
    }
  }

  private static Outcome http1(String text, Set<Leniency> leniencies) {
    var parser = new RequestParser(ParserLimits.DEFAULT, ScannerKind.SCALAR, leniencies);
    return Feeding.whole(parser, Segments.latin1(text));
  }

  /** Returns the lines of a head that has the same meaning in both versions; null for others. */
  private static @Nullable List<String> lines(String text) {
    if (!text.endsWith("\r\n\r\n") || text.startsWith("\r\n")) {
      return null;
    }
    String[] lines = text.substring(0, text.length() - 4).split("\r\n", -1);
    String[] first = lines[0].split(" ", -1);
    if (first.length != 3
        || !first[2].equals("HTTP/1.1")
        || first[1].contains("://")
        || first[0].isEmpty()) {
      return null;
    }
    int hosts = 0;
    for (int i = 1; i < lines.length; i++) {
      int colon = lines[i].indexOf(':');
      if (colon < 1 || lines[i].charAt(0) <= ' ' || lines[i].charAt(colon - 1) <= ' ') {
        return null;
      }
      KnownHeader name = KnownHeader.of(name(lines[i]));
      if (name != null && OF_THE_CONNECTION.contains(name)) {
        return null;
      }
      hosts += name == KnownHeader.HOST ? 1 : 0;
    }
    boolean connects = first[0].equals("CONNECT");
    boolean common = !text.contains("\r\n\r\n\r\n") && !hasLooseLineEnd(text);
    return common && hosts < 2 && !(connects && hosts == 0) ? List.of(lines) : null;
  }

  private static boolean hasLooseLineEnd(String text) {
    String rest = text.replace("\r\n", "");
    return rest.indexOf('\r') >= 0 || rest.indexOf('\n') >= 0;
  }

  private static String name(String line) {
    return line.substring(0, line.indexOf(':')).toLowerCase(Locale.ROOT);
  }

  private static Http2Fields translated(List<String> lines, boolean hostAsAuthority) {
    String[] first = lines.getFirst().split(" ", -1);
    boolean connects = first[0].equals("CONNECT");
    var pseudo = new Http2Fields().add(":method", first[0]);
    var others = new Http2Fields();
    if (connects) {
      pseudo.add(":authority", first[1]);
    } else {
      pseudo.add(":path", first[1]).add(":scheme", "http");
    }
    for (String line : lines.subList(1, lines.size())) {
      String value = trimmed(line.substring(line.indexOf(':') + 1));
      if (!name(line).equals("host")) {
        others.add(name(line), value);
      } else if (!connects) {
        if (hostAsAuthority) {
          pseudo.add(":authority", value);
        } else {
          others.add("host", value);
        }
      }
    }
    return pseudo.addAll(others);
  }

  private static String trimmed(String value) {
    return value.replaceAll("^[ \t]+|[ \t]+$", "");
  }

  /** The parts that both versions have. */
  private static Accepted comparable(Accepted accepted) {
    return new Accepted(
        accepted.method(),
        accepted.methodText(),
        accepted.targetForm(),
        accepted.target(),
        accepted.path(),
        accepted.query(),
        HttpVersion.HTTP_1_1,
        accepted.host(),
        comparable(accepted.fields()),
        accepted.contentLength(),
        accepted.chunked(),
        accepted.keepAlive(),
        accepted.expectsContinue(),
        accepted.upgrade(),
        0);
  }

  /** Fields with lower-case names and one Cookie, without Host. */
  private static List<Field> comparable(List<Field> fields) {
    var comparable = new ArrayList<Field>();
    int cookie = -1;
    for (Field field : fields) {
      if (field.known() == KnownHeader.COOKIE && cookie >= 0) {
        String joined =
            Stream.of(comparable.get(cookie).value(), field.value())
                .filter(crumb -> !crumb.isEmpty())
                .collect(Collectors.joining("; "));
        comparable.set(cookie, new Field(KnownHeader.COOKIE, "cookie", joined));
      } else if (field.known() != KnownHeader.HOST) {
        cookie = field.known() == KnownHeader.COOKIE ? comparable.size() : cookie;
        comparable.add(
            new Field(field.known(), field.name().toLowerCase(Locale.ROOT), field.value()));
      }
    }
    return comparable;
  }
}
