package dev.peregrine.server.conformance;

import dev.peregrine.server.conformance.CorpusCase.Answer;
import dev.peregrine.server.conformance.WireResponses.Wire;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Compares the responses to a case with the expected ones. */
final class CorpusCheck {
  private static final int REFUSED_MIN = 400;
  private static final int CONTINUE = 100;

  private CorpusCheck() {}

  /**
   * Returns the fault of the responses; null if they are correct.
   *
   * @param endedByServer whether the server ended the connection before the client did
   */
  static @Nullable String problem(CorpusCase testCase, byte[] written, boolean endedByServer) {
    List<Answer> expected = new ArrayList<>(testCase.answers());
    if (testCase.isOpenAtEnd()) {
      expected.add(CorpusCase.MARKER_ANSWER);
    }
    List<Answer> finals = expected.stream().filter(one -> one.status() != CONTINUE).toList();
    List<Wire> responses;
    try {
      responses =
          WireResponses.parse(written, index -> index < finals.size() && finals.get(index).head());
    } catch (AssertionError malformed) {
      return String.valueOf(malformed.getMessage());
    }
    return testCase.isIncomplete()
        ? problemOfIncomplete(responses, endedByServer)
        : problem(expected, responses, endedByServer);
  }

  /**
   * Checks the responses to an incomplete case: the end of the stream may be answered only by an
   * error.
   */
  private static @Nullable String problemOfIncomplete(List<Wire> responses, boolean endedByServer) {
    if (endedByServer) {
      return "didn't wait: " + responses;
    }
    boolean refused =
        responses.stream().allMatch(one -> one.status() == CONTINUE || one.status() >= REFUSED_MIN);
    return refused ? null : "answered though it wasn't complete: " + responses;
  }

  private static @Nullable String problem(
      List<Answer> expected, List<Wire> responses, boolean endedByServer) {
    if (responses.size() != expected.size()) {
      return expected.size() + " responses expected, but got " + responses;
    }
    for (int i = 0; i < expected.size(); i++) {
      Answer want = expected.get(i);
      Wire got = responses.get(i);
      String text = want.text();
      if (got.status() != want.status() || got.closes() != want.close()) {
        return "expected " + want + ", but got " + got;
      }
      if (text != null && !got.text().equals(latin1(text))) {
        return "expected the content \"" + text + "\", but got \"" + got.text() + "\"";
      }
    }
    return endedByServer ? null : "the connection was left open";
  }

  private static String latin1(String text) {
    return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
  }
}
