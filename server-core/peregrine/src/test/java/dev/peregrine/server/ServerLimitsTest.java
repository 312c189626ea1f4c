package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.server.config.Http2Limits;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.config.WebSocketLimits;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class ServerLimitsTest {
  static RecordComponent[] limits() {
    return ServerLimits.class.getRecordComponents();
  }

  @Test
  void hasTheDefaultsThatAreDocumented() {
    ServerLimits limits = ServerLimits.DEFAULT;

    assertThat(limits.bodyBytesMax()).isEqualTo(30_000_000);
    assertThat(limits.requestHeadTime()).isEqualTo(Duration.ofSeconds(30));
    assertThat(limits.keepAliveTime()).isEqualTo(Duration.ofSeconds(130));
    assertThat(limits.requestBytesPerSecondMin()).isEqualTo(240);
    assertThat(limits.requestRateGrace()).isEqualTo(Duration.ofSeconds(5));
    assertThat(limits.responseBytesPerSecondMin()).isEqualTo(240);
    assertThat(limits.responseRateGrace()).isEqualTo(Duration.ofSeconds(5));
    assertThat(limits.responseBeginTime()).isEqualTo(Duration.ofMinutes(5));
    assertThat(limits.outboundHighWater()).isEqualTo(65_536);
    assertThat(limits.outboundLowWater()).isEqualTo(32_768);
    assertThat(limits.drainBytesMax()).isEqualTo(65_536);
    assertThat(limits.lingerTime()).isEqualTo(Duration.ofSeconds(2));
    assertThat(limits.lingerBytesMax()).isEqualTo(1_048_576);
    assertThat(limits.shutdownIdleTime()).isEqualTo(Duration.ofSeconds(1));
    assertThat(limits.connectionsMax()).isZero();
    assertThat(limits.requestsPerConnectionMax()).isZero();
    assertThat(limits.loopBlockedTime()).isEqualTo(Duration.ofMillis(100));
    assertThat(limits.parser().requestLineBytesMax()).isEqualTo(8192);
    assertThat(limits.parser().headerBytesMax()).isEqualTo(32_768);
    assertThat(limits.parser().fieldsMax()).isEqualTo(100);
  }

  @ParameterizedTest
  @MethodSource("limits")
  void changesOneLimitAndNoOther(RecordComponent limit) throws Exception {
    ServerLimits changed = (ServerLimits) with(ServerLimits.DEFAULT, limit, another(limit));

    for (RecordComponent each : limits()) {
      Object before = each.getAccessor().invoke(ServerLimits.DEFAULT);
      Object after = each.getAccessor().invoke(changed);
      if (each.getName().equals(limit.getName())) {
        assertThat(after).isEqualTo(another(limit)).isNotEqualTo(before);
      } else {
        assertThat(after).as(each.getName()).isEqualTo(before);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("limits")
  void rejectsABadValueAndNamesTheLimit(RecordComponent limit) {
    Object bad;
    if (limit.getType() == Duration.class) {
      bad = Duration.ofNanos(-1);
    } else if (limit.getType() == int.class) {
      bad = -1;
    } else if (limit.getType() == long.class) {
      bad = -1L;
    } else {
      return; // a record with its own limits
    }
    assertThatThrownBy(() -> with(ServerLimits.DEFAULT, limit, bad))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(limit.getName());
  }

  @Test
  void rejectsALowWaterMarkAboveTheHigh() {
    assertThatThrownBy(() -> ServerLimits.builder().outboundHighWater(32_767).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("outboundHighWater");
  }

  @Test
  void rejectsTimesThatAreZero() {
    assertThatThrownBy(() -> ServerLimits.builder().keepAliveTime(Duration.ZERO).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("keepAliveTime");
  }

  @ParameterizedTest
  @MethodSource("limits")
  void rejectsTimesAbove36500Days(RecordComponent limit) throws Exception {
    if (limit.getType() != Duration.class) {
      return;
    }
    Duration most = Duration.ofDays(36_500);
    Object longest = with(ServerLimits.DEFAULT, limit, most);
    assertThat(limit.getAccessor().invoke(longest)).isEqualTo(most);
    assertThatThrownBy(() -> with(ServerLimits.DEFAULT, limit, most.plusNanos(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(limit.getName())
        .hasMessageContaining("at most 36500 days");
  }

  private static Object with(ServerLimits limits, RecordComponent limit, Object value)
      throws ReflectiveOperationException, InvocationTargetException {
    ServerLimits.Builder builder = limits.toBuilder();
    ServerLimits.Builder.class.getMethod(limit.getName(), limit.getType()).invoke(builder, value);
    return builder.build();
  }

  private static Object another(RecordComponent limit) {
    if (limit.getType() == Duration.class) {
      return Duration.ofSeconds(77);
    }
    if (limit.getType() == int.class) {
      return switch (limit.getName()) {
        case "outboundLowWater" -> 777;
        case "proxyHeaderBytesMax" -> 7777;
        default -> 77_777;
      };
    }
    if (limit.getType() == WebSocketLimits.class) {
      return WebSocketLimits.DEFAULT.withMessageBytesMax(7);
    }
    if (limit.getType() == Http2Limits.class) {
      return Http2Limits.DEFAULT.withStreamsMax(7);
    }
    return limit.getType() == long.class
        ? (Object) 777L
        : ServerLimits.DEFAULT.parser().toBuilder().fieldsMax(7).build();
  }
}
