package dev.peregrine.bench.compare.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.AsciiString;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;

/** Answers decoded requests; echoes content piece by piece. One per connection. */
@SuppressWarnings("FutureReturnValueIgnored") // failures arrive at exceptionCaught
final class NettyHandler extends ChannelInboundHandlerAdapter {
  private static final ByteBuf HELLO =
      Unpooled.unreleasableBuffer(
          Unpooled.directBuffer()
              .writeBytes(ComparedServer.HELLO.getBytes(StandardCharsets.US_ASCII))
              .asReadOnly());
  private static final AsciiString HELLO_LENGTH =
      AsciiString.cached(Integer.toString(ComparedServer.HELLO.length()));
  private static final DefaultHttpHeadersFactory FIELDS =
      DefaultHttpHeadersFactory.headersFactory().withValidation(false);

  private static volatile AsciiString date = new AsciiString(CachedDate.now());

  private boolean echoes;

  static void renewDate() {
    date = new AsciiString(CachedDate.now());
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (message instanceof HttpRequest request) {
      onHead(context, request);
    } else if (echoes && message instanceof HttpContent) {
      context.write(message, context.voidPromise());
    } else {
      ReferenceCountUtil.release(message);
    }
  }

  private void onHead(ChannelHandlerContext context, HttpRequest request) {
    echoes = request.uri().equals("/echo");
    if (echoes) {
      HttpResponse head =
          new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, FIELDS);
      addFields(
          head,
          HttpHeaderValues.APPLICATION_OCTET_STREAM,
          request.headers().get(HttpHeaderNames.CONTENT_LENGTH));
      context.write(head, context.voidPromise());
    } else if (request.uri().equals("/json")) {
      byte[] json = Message.json(ComparedServer.HELLO);
      answer(
          context,
          HttpHeaderValues.APPLICATION_JSON,
          Integer.toString(json.length),
          Unpooled.wrappedBuffer(json));
    } else {
      answer(context, HttpHeaderValues.TEXT_PLAIN, HELLO_LENGTH, HELLO.duplicate());
    }
  }

  private static void answer(
      ChannelHandlerContext context, CharSequence type, CharSequence length, ByteBuf content) {
    HttpResponse response =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1, HttpResponseStatus.OK, content, FIELDS, FIELDS);
    addFields(response, type, length);
    context.write(response, context.voidPromise());
  }

  private static void addFields(HttpResponse response, CharSequence type, CharSequence length) {
    response
        .headers()
        .set(HttpHeaderNames.CONTENT_TYPE, type)
        .set(HttpHeaderNames.DATE, date)
        .set(HttpHeaderNames.CONTENT_LENGTH, length);
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    context.flush();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
    context.close();
  }
}
