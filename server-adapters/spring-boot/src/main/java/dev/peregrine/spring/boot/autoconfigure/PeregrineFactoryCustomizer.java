package dev.peregrine.spring.boot.autoconfigure;

import dev.peregrine.proxy.TrustedPeers;
import dev.peregrine.proxy.TrustedProxies;
import dev.peregrine.server.Endpoint;
import dev.peregrine.server.handover.HandOver;
import dev.peregrine.spring.boot.PeregrineReactiveWebServerFactory;
import dev.peregrine.spring.boot.autoconfigure.PeregrineProperties.Forwarded;
import dev.peregrine.spring.boot.autoconfigure.PeregrineProperties.ForwardedField;
import java.nio.file.Path;
import java.util.List;
import org.springframework.boot.cloud.CloudPlatform;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;
import org.springframework.boot.web.server.autoconfigure.ServerProperties.ForwardHeadersStrategy;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;

/** Applies the properties to the factory of the application's server. */
final class PeregrineFactoryCustomizer
    implements WebServerFactoryCustomizer<PeregrineReactiveWebServerFactory>, Ordered {
  /** Addresses that no host on the Internet has, as Tomcat trusts them by default. */
  private static final String[] PRIVATE = {
    "127.0.0.0/8",
    "10.0.0.0/8",
    "172.16.0.0/12",
    "192.168.0.0/16",
    "169.254.0.0/16",
    "100.64.0.0/10",
    "::1",
    "fe80::/10",
    "fc00::/7"
  };

  private final ConfigurableApplicationContext context;
  private final ServerProperties server;
  private final PeregrineProperties properties;

  PeregrineFactoryCustomizer(
      ConfigurableApplicationContext context,
      ServerProperties server,
      PeregrineProperties properties) {
    this.context = context;
    this.server = server;
    this.properties = properties;
  }

  /** Before those of the application, which have no order as a rule. */
  @Override
  public int getOrder() {
    return 0;
  }

  @Override
  public void customize(PeregrineReactiveWebServerFactory factory) {
    CommonOptions.rejectForeign(context.getEnvironment());
    CommonOptions.apply(factory, server, properties);
    factory.setReusePort(properties.reusePort());
    Integer loops = properties.loops();
    if (loops != null) {
      factory.addServerCustomizers(builder -> builder.loops(loops));
    }
    Path socket = properties.unixSocket().path();
    if (socket != null) {
      factory.setUnixEndpoint(
          Endpoint.unix(socket).withPermissions(properties.unixSocket().permissions()));
    }
    addForwarded(factory);
    addHandOver(factory);
    addAccessLog(factory);
  }

  private void addForwarded(PeregrineReactiveWebServerFactory factory) {
    Forwarded forwarded = properties.forwarded();
    if (trustsProxies(context.getEnvironment())) {
      TrustedProxies proxies = proxies(forwarded);
      factory.addServerCustomizers(builder -> builder.trustedProxies(proxies));
    } else if (forwarded.trustedProxies() != null) {
      throw new IllegalStateException(
          "peregrine.forwarded.trusted-proxies is set, but has no effect without"
              + " server.forward-headers-strategy=native");
    }
  }

  private boolean trustsProxies(Environment environment) {
    ForwardHeadersStrategy strategy = server.getForwardHeadersStrategy();
    if (strategy != null) {
      return strategy == ForwardHeadersStrategy.NATIVE;
    }
    CloudPlatform platform = CloudPlatform.getActive(environment);
    return platform != null && platform.isUsingForwardHeaders();
  }

  private static TrustedProxies proxies(Forwarded forwarded) {
    List<String> named = forwarded.trustedProxies();
    TrustedPeers peers =
        named == null
            ? TrustedPeers.of(PRIVATE).withUnixSockets()
            : TrustedPeers.of(named.toArray(String[]::new));
    return forwarded.field() == ForwardedField.FORWARDED
        ? TrustedProxies.forwarded(peers)
        : TrustedProxies.xForwardedFor(peers).withXForwardedProto().withXForwardedHost();
  }

  private void addHandOver(PeregrineReactiveWebServerFactory factory) {
    Path path = properties.handOver().path();
    if (path != null) {
      HandOver handOver =
          HandOver.at(path)
              .withPatience(properties.handOver().patience())
              .onHandedOver(context::close);
      factory.addServerCustomizers(builder -> builder.with(handOver));
    }
  }

  private void addAccessLog(PeregrineReactiveWebServerFactory factory) {
    Path file = properties.accessLog().file();
    if (file != null) {
      factory.addServerCustomizers(new AccessLogCustomizer(file, properties.accessLog()));
    }
  }
}
