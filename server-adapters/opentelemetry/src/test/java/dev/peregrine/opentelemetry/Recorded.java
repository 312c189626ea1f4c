package dev.peregrine.opentelemetry;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.TracerProvider;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.context.propagation.TextMapPropagator;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** An SDK whose spans a test takes when they have ended. */
final class Recorded implements AutoCloseable {
  private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
  private final Semaphore ended = new Semaphore(0);
  private final OpenTelemetrySdk sdk =
      OpenTelemetrySdk.builder()
          .setTracerProvider(
              SdkTracerProvider.builder()
                  .addSpanProcessor(SimpleSpanProcessor.create(exporter))
                  .addSpanProcessor(new EndProcessor())
                  .build())
          .setPropagators(ContextPropagators.create(W3CTraceContextPropagator.getInstance()))
          .build();
  private int taken;

  OpenTelemetry telemetry() {
    return sdk;
  }

  /** Returns the same, but with another propagator. */
  OpenTelemetry propagatedBy(TextMapPropagator propagator) {
    ContextPropagators propagators = ContextPropagators.create(propagator);
    return new OpenTelemetry() {
      @Override
      public TracerProvider getTracerProvider() {
        return sdk.getTracerProvider();
      }

      @Override
      public ContextPropagators getPropagators() {
        return propagators;
      }
    };
  }

  /** Returns the span that ends next. */
  SpanData take() throws InterruptedException {
    if (!ended.tryAcquire(1, TimeUnit.MINUTES)) {
      throw new AssertionError("no span has ended: " + exporter.getFinishedSpanItems());
    }
    return exporter.getFinishedSpanItems().get(taken++);
  }

  /** Returns the number of spans that have ended and were not taken. */
  int left() {
    return exporter.getFinishedSpanItems().size() - taken;
  }

  @Override
  public void close() {
    sdk.close();
  }

  private final class EndProcessor implements SpanProcessor {
    @Override
    public void onStart(Context parent, ReadWriteSpan span) {}

    @Override
    public boolean isStartRequired() {
      return false;
    }

    @Override
    public void onEnd(ReadableSpan span) {
      ended.release();
    }

    @Override
    public boolean isEndRequired() {
      return true;
    }
  }
}
