package dev.peregrine.spring.boot.autoconfigure;

import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.spring.boot.PeregrineReactiveWebServerFactory;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;
import org.springframework.core.env.Environment;
import org.springframework.util.unit.DataSize;

/** The options that the servers of an application and of its management have in common. */
final class CommonOptions {
  private static final String NETTY = "server.netty";

  /** The properties that replace those of Reactor Netty. */
  private static final Map<String, String> REPLACEMENTS =
      Map.of(
          "idletimeout", "use peregrine.limits.idle-timeout",
          "maxkeepaliverequests", "use peregrine.limits.max-requests-per-connection",
          "maxinitiallinelength", "use server.max-http-request-header-size");

  private CommonOptions() {}

  /**
   * Throws for a property of Reactor Netty, because it would have no effect.
   *
   * @throws InvalidConfigurationPropertyValueException naming the one to use
   */
  static void rejectForeign(Environment environment) {
    Map<String, Object> foreign =
        Binder.get(environment)
            .bind(NETTY, Bindable.mapOf(String.class, Object.class))
            .orElse(Map.of());
    foreign.forEach(
        (name, value) -> {
          String key = name.replace("-", "").toLowerCase(Locale.ROOT);
          throw new InvalidConfigurationPropertyValueException(
              NETTY + "." + name,
              value,
              "The server is Peregrine, for which it has no effect: "
                  + REPLACEMENTS.getOrDefault(key, "remove it")
                  + ".");
        });
  }

  static void apply(
      PeregrineReactiveWebServerFactory factory,
      ServerProperties server,
      PeregrineProperties properties) {
    String header = server.getServerHeader();
    if (header != null) {
      factory.setServerHeader(header);
    }
    factory.setBacklog(properties.backlog());
    factory.setLameDuck(properties.lameDuck());
    factory.setLimits(limits(server.getMaxHttpRequestHeaderSize(), properties.limits()));
    factory.addServerCustomizers(builder -> builder.transport(properties.transport()));
  }

  private static ServerLimits limits(DataSize head, PeregrineProperties.Limits set) {
    ServerLimits base = PeregrineReactiveWebServerFactory.LIMITS_DEFAULT;
    try {
      int headBytes = toInt("server.max-http-request-header-size", head);
      return base.toBuilder()
          .parser(
              base.parser().toBuilder()
                  .requestLineBytesMax(headBytes)
                  .headerBytesMax(headBytes)
                  .fieldsMax(set.maxHeaderFields())
                  .build())
          .bodyBytesMax(bytesOrMost(set.maxContentSize()))
          .requestBytesPerSecondMin(set.minRequestRate().toBytes())
          .requestRateGrace(set.rateGrace())
          .responseBytesPerSecondMin(set.minResponseRate().toBytes())
          .responseRateGrace(set.rateGrace())
          .requestHeadTime(set.headTimeout())
          .keepAliveTime(set.idleTimeout())
          .responseBeginTime(set.responseBeginTimeout())
          .handshakeTime(set.handshakeTimeout())
          .connectionsMax(set.maxConnections())
          .requestsPerConnectionMax(set.maxRequestsPerConnection())
          .retainedBytesMax(set.maxRetainedSize().toBytes())
          .http2(base.http2().withStreamsMax(set.maxHttp2Streams()))
          .webSocket(
              base.webSocket()
                  .withMessageBytesMax(
                      toInt(
                          "peregrine.limits.max-web-socket-message-size",
                          set.maxWebSocketMessageSize())))
          .loopBlockedTime(set.blockedLoopTime())
          .build();
    } catch (IllegalArgumentException failure) {
      throw new IllegalArgumentException(
          "server.max-http-request-header-size or peregrine.limits: " + failure.getMessage(),
          failure);
    }
  }

  private static int toInt(String name, DataSize size) {
    if (size.toBytes() > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(name + " is " + size + ", but must be below 2 GB");
    }
    return (int) size.toBytes();
  }

  private static long bytesOrMost(@Nullable DataSize size) {
    return size == null ? Long.MAX_VALUE : size.toBytes();
  }
}
