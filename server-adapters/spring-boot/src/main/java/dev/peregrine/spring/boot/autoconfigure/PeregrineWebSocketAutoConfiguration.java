package dev.peregrine.spring.boot.autoconfigure;

import dev.peregrine.spring.PeregrineRequestUpgradeStrategy;
import dev.peregrine.spring.boot.PeregrineReactiveWebServerFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.reactive.socket.server.WebSocketService;
import org.springframework.web.reactive.socket.server.support.HandshakeWebSocketService;
import org.springframework.web.reactive.socket.server.support.WebSocketHandlerAdapter;

/**
 * Has WebFlux upgrade connections of Peregrine to WebSockets, because it looks for the servers that
 * it knows itself.
 */
@AutoConfiguration(after = PeregrineReactiveWebServerAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnClass(WebFluxConfigurer.class)
@ConditionalOnBean(PeregrineReactiveWebServerFactory.class)
public final class PeregrineWebSocketAutoConfiguration {
  /** Creates the configuration. */
  public PeregrineWebSocketAutoConfiguration() {}

  @Bean
  static WebFluxConfigurer peregrineWebSocketConfigurer(ObjectProvider<WebFluxConfigurer> all) {
    return new UpgradeConfigurer(all);
  }

  @Bean
  static BeanPostProcessor peregrineWebSocketAdapterProcessor() {
    return new AdapterProcessor();
  }

  /** Configures WebFlux's own adapter. */
  private static final class UpgradeConfigurer implements WebFluxConfigurer {
    private final ObjectProvider<WebFluxConfigurer> all;

    UpgradeConfigurer(ObjectProvider<WebFluxConfigurer> all) {
      this.all = all;
    }

    /** Returns a service unless the application has one: WebFlux accepts no two. */
    @Override
    public @Nullable WebSocketService getWebSocketService() {
      boolean isConfigured =
          all.stream().anyMatch(one -> one != this && one.getWebSocketService() != null);
      return isConfigured
          ? null
          : new HandshakeWebSocketService(new PeregrineRequestUpgradeStrategy());
    }
  }

  /**
   * Replaces an adapter that the application has created for the server that WebFlux has found on
   * the class path.
   */
  private static final class AdapterProcessor implements BeanPostProcessor {
    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
      if (bean.getClass() != WebSocketHandlerAdapter.class) {
        return bean;
      }
      WebSocketHandlerAdapter adapter = (WebSocketHandlerAdapter) bean;
      if (adapter.getWebSocketService().getClass() != HandshakeWebSocketService.class) {
        return bean;
      }
      HandshakeWebSocketService found = (HandshakeWebSocketService) adapter.getWebSocketService();
      if (found.getUpgradeStrategy() instanceof PeregrineRequestUpgradeStrategy) {
        return bean;
      }
      HandshakeWebSocketService service =
          new HandshakeWebSocketService(new PeregrineRequestUpgradeStrategy());
      service.setSessionAttributePredicate(found.getSessionAttributePredicate());
      WebSocketHandlerAdapter replacement = new WebSocketHandlerAdapter(service);
      replacement.setOrder(adapter.getOrder());
      return replacement;
    }
  }
}
