package dev.peregrine.spring.boot.autoconfigure;

import dev.peregrine.spring.boot.PeregrineReactiveWebServerFactory;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.actuate.autoconfigure.web.server.ConditionalOnManagementPort;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementContextFactory;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementPortType;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.server.reactive.ReactiveWebServerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;

/** Makes Peregrine also the server of the management endpoints, if these have their own port. */
@AutoConfiguration(after = PeregrineReactiveWebServerAutoConfiguration.class)
@ConditionalOnClass(ManagementContextFactory.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnManagementPort(ManagementPortType.DIFFERENT)
@ConditionalOnBean(PeregrineReactiveWebServerFactory.class)
public final class PeregrineManagementContextAutoConfiguration {
  /** Creates the configuration. */
  public PeregrineManagementContextAutoConfiguration() {}

  /** The primary one, because each server on the class path adds another. */
  @Bean
  @Primary
  static ManagementContextFactory peregrineManagementContextFactory() {
    return new ManagementContextFactory(
        WebApplicationType.REACTIVE,
        ReactiveWebServerFactory.class,
        PeregrineManagementServerConfiguration.class);
  }
}
