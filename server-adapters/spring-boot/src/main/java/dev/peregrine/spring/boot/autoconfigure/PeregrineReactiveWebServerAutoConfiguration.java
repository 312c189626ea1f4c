package dev.peregrine.spring.boot.autoconfigure;

import dev.peregrine.spring.boot.PeregrineReactiveWebServerFactory;
import dev.peregrine.spring.boot.PeregrineServerCustomizer;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;
import org.springframework.boot.web.server.autoconfigure.reactive.ReactiveWebServerConfiguration;
import org.springframework.boot.web.server.reactive.ReactiveWebServerFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * Makes Peregrine the server of a reactive application, unless that has a factory of its own. It
 * comes before the servers of Boot, because they may be on the class path for other reasons:
 * Reactor Netty is also {@code WebClient}'s client.
 */
@AutoConfiguration(
    beforeName = {
      "org.springframework.boot.reactor.netty.autoconfigure.NettyReactiveWebServerAutoConfiguration",
      "org.springframework.boot.jetty.autoconfigure.reactive.JettyReactiveWebServerAutoConfiguration",
      "org.springframework.boot.tomcat.autoconfigure.reactive.TomcatReactiveWebServerAutoConfiguration"
    })
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@EnableConfigurationProperties(PeregrineProperties.class)
@Import(ReactiveWebServerConfiguration.class)
public final class PeregrineReactiveWebServerAutoConfiguration {
  /** Creates the configuration. */
  public PeregrineReactiveWebServerAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean(ReactiveWebServerFactory.class)
  PeregrineReactiveWebServerFactory peregrineReactiveWebServerFactory(
      ObjectProvider<PeregrineServerCustomizer> customizers) {
    PeregrineReactiveWebServerFactory factory = new PeregrineReactiveWebServerFactory();
    customizers.orderedStream().forEach(factory::addServerCustomizers);
    return factory;
  }

  @Bean
  PeregrineFactoryCustomizer peregrineFactoryCustomizer(
      ConfigurableApplicationContext context,
      ServerProperties server,
      PeregrineProperties properties) {
    return new PeregrineFactoryCustomizer(context, server, properties);
  }
}
