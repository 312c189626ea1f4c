package dev.peregrine.spring.boot.autoconfigure;

import dev.peregrine.spring.boot.PeregrineReactiveWebServerFactory;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;
import org.springframework.boot.web.server.autoconfigure.reactive.ReactiveWebServerConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;

/**
 * The server of the management endpoints, in a context of its own: it has one loop and the limits
 * of the application's, but not its access log, Unix domain socket, hand-over and proxies.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(PeregrineProperties.class)
@Import(ReactiveWebServerConfiguration.class)
class PeregrineManagementServerConfiguration {
  @Bean
  @Order(0)
  WebServerFactoryCustomizer<PeregrineReactiveWebServerFactory> peregrineManagementCustomizer(
      ServerProperties server, PeregrineProperties properties) {
    return factory -> {
      CommonOptions.apply(factory, server, properties);
      factory.addServerCustomizers(builder -> builder.loops(1));
    };
  }
}
