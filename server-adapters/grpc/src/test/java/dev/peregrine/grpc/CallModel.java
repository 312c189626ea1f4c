package dev.peregrine.grpc;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * What a call of {@link RecordingService} comes to, by the bytes of its content alone.
 *
 * <p>Messages reach the service by its executor, but the event loop reads ahead. If it finds a
 * broken prefix meanwhile, a service on other threads may miss messages before it.
 */
final class CallModel {
  static final int MESSAGE_BYTES_MAX = 1000;
  static final String OPEN = "open";
  static final String RESET = "reset";
  static final String PAGE = "a page";

  private static final int INTERNAL = 13;
  private static final int RESOURCE_EXHAUSTED = 8;
  private static final int NONE = -1;

  /**
   * What may be observed.
   *
   * @param outcomes of which one is
   * @param messages that the service receives; the first ones of them if that isn't exact
   */
  record Prediction(Set<String> outcomes, List<String> messages, boolean isExact) {
    static Prediction of(String outcome) {
      return new Prediction(Set.of(outcome), List.of(), true);
    }

    /** Returns what may be observed if something else may end the call at once. */
    Prediction or(String... others) {
      Set<String> all = new TreeSet<>(outcomes);
      all.addAll(List.of(others));
      return new Prediction(all, messages, false);
    }

    /** Returns what may be observed if something else may follow one of the outcomes. */
    Prediction or(Set<String> before, String after) {
      return or(before.stream().map(each -> each + after).toArray(String[]::new));
    }
  }

  private final boolean isUnary;
  private final boolean isZipped;
  private final boolean isOnLoop;
  private final List<String> texts = new ArrayList<>(); // until one is invalid
  private int messages;
  private int invalidAt = NONE; // the first message that can't be decompressed
  private int invalidStatus;
  private int brokenAt = NONE; // the message whose prefix isn't valid, or that is cut short
  private int brokenStatus;

  private CallModel(boolean isUnary, boolean isZipped, boolean isOnLoop) {
    this.isUnary = isUnary;
    this.isZipped = isZipped;
    this.isOnLoop = isOnLoop;
  }

  /** Predicts a call with a valid head. */
  static Prediction predict(
      byte[] content, boolean ended, boolean isUnary, boolean isZipped, boolean isOnLoop) {
    CallModel model = new CallModel(isUnary, isZipped, isOnLoop);
    model.read(ByteBuffer.wrap(content), ended);
    return model.predict(ended);
  }

  static String status(int code) {
    return "status " + code;
  }

  private void read(ByteBuffer left, boolean ended) {
    while (left.remaining() >= 5 && brokenAt == NONE) {
      left.mark();
      int flags = left.get() & 0xFF;
      long length = left.getInt() & 0xFFFF_FFFFL;
      if (flags > 1) {
        breakWith(INTERNAL);
      } else if (length > MESSAGE_BYTES_MAX) {
        breakWith(RESOURCE_EXHAUSTED);
      } else if (left.remaining() < length) {
        left.reset();
        break;
      } else {
        byte[] message = new byte[(int) length];
        left.get(message);
        add(message, flags == 1);
      }
    }
    if (ended && left.hasRemaining() && brokenAt == NONE) {
      breakWith(INTERNAL);
    }
  }

  private void breakWith(int status) {
    brokenAt = messages;
    brokenStatus = status;
  }

  private void add(byte[] message, boolean compressed) {
    int at = messages++;
    if (invalidAt != NONE) {
      return;
    }
    byte[] plain = compressed ? unzip(message) : message;
    if (plain == null || plain.length > MESSAGE_BYTES_MAX) {
      invalidAt = at;
      invalidStatus = plain == null ? INTERNAL : RESOURCE_EXHAUSTED;
    } else {
      texts.add(new String(plain, StandardCharsets.UTF_8));
    }
  }

  private byte @Nullable [] unzip(byte[] message) {
    if (!isZipped) {
      return null;
    }
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(message))) {
      return in.readNBytes(MESSAGE_BYTES_MAX + 1);
    } catch (IOException invalid) {
      return null;
    }
  }

  private Prediction predict(boolean ended) {
    int failedAt = invalidAt; // the message that the service's side ends the call for
    int status = invalidStatus;
    if (isUnary && messages > 1 && (failedAt == NONE || failedAt > 1)) { // too many requests
      failedAt = 1;
      status = INTERNAL;
    }
    List<String> received = isUnary ? List.of() : texts;
    if (failedAt == NONE && brokenAt == NONE) {
      return predictWithoutFault(ended, received);
    }
    if (failedAt == NONE) {
      return new Prediction(Set.of(status(brokenStatus)), received, isUnary || isOnLoop);
    }
    int requested = isUnary ? 2 : failedAt + 1;
    if (brokenAt == NONE || brokenAt > requested || isOnLoop) {
      return new Prediction(Set.of(status(status)), received, true);
    }
    Prediction served = new Prediction(Set.of(status(status)), received, true);
    Prediction either = served.or(status(brokenStatus));
    return new Prediction(either.outcomes(), received, isUnary);
  }

  private Prediction predictWithoutFault(boolean ended, List<String> received) {
    if (!ended) {
      return new Prediction(Set.of(OPEN), received, true);
    } else if (isUnary && messages == 0) { // half-closed without a request
      return Prediction.of(status(INTERNAL));
    }
    return new Prediction(Set.of(status(0)), texts, true);
  }
}
