package dev.peregrine.grpc;

import dev.peregrine.server.http2.Http2;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The options of a builder for PINGs and ages, with the defaults of grpc-java. */
final class Upkeep {
  private static final Duration INFINITE = Duration.ofDays(1000); // as grpc-java has it
  private static final Duration MOST = Duration.ofDays(36_500);

  private @Nullable Duration silence;
  private Duration answer = Duration.ofSeconds(20);
  private Duration clientInterval = Duration.ofMinutes(5);
  private boolean idleClientPings;
  private boolean clientPingsLimited;
  private @Nullable Duration age;
  private Duration grace = MOST;

  void keepAliveTime(long time, TimeUnit unit) {
    silence = finite(positive("keepAliveTime", time, unit));
  }

  void keepAliveTimeout(long time, TimeUnit unit) {
    answer = positive("keepAliveTimeout", time, unit);
  }

  void permitKeepAliveTime(long time, TimeUnit unit) {
    clientInterval = notNegative("permitKeepAliveTime", time, unit);
    clientPingsLimited = true;
  }

  void permitKeepAliveWithoutCalls(boolean permitted) {
    idleClientPings = permitted;
    clientPingsLimited = true;
  }

  void maxConnectionAge(long time, TimeUnit unit) {
    age = finite(positive("maxConnectionAge", time, unit));
  }

  void maxConnectionAgeGrace(long time, TimeUnit unit) {
    grace = notNegative("maxConnectionAgeGrace", time, unit);
  }

  /** Returns HTTP/2 with these options. */
  Http2 http2() {
    Http2 http2 = Http2.create();
    if (silence != null) {
      http2 = http2.withPings(silence, answer);
    }
    if (clientPingsLimited) {
      http2 = http2.withClientPings(orLeast(clientInterval), idleClientPings);
    }
    return age == null ? http2 : http2.withAge(age, orLeast(grace));
  }

  private static Duration orLeast(Duration time) {
    return time.isZero() ? Duration.ofNanos(1) : time;
  }

  private static @Nullable Duration finite(Duration time) {
    return time.compareTo(INFINITE) >= 0 ? null : time;
  }

  static Duration positive(String option, long time, TimeUnit unit) {
    if (time <= 0) {
      throw new IllegalArgumentException(option + " is " + time + ", but must be positive");
    }
    return notNegative(option, time, unit);
  }

  private static Duration notNegative(String option, long time, TimeUnit unit) {
    if (time < 0) {
      throw new IllegalArgumentException(option + " is " + time + ", but must not be negative");
    }
    long days = unit.toDays(time);
    return days >= MOST.toDays() ? MOST : Duration.of(time, unit.toChronoUnit());
  }
}
